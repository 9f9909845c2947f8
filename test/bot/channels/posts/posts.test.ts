import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import type { BoardMetric, PeriodKind } from '../../../../src/api/log-metrics.ts';
import { createCharts } from '../../../../src/bot/pictures/charts.ts';
import type { Boards } from '../../../../src/commands/interfaces/community.ts';
import type { HistoryBucket } from '../../../../src/embeds/chart/series.ts';
import { languageOf } from '../../../../src/locales/language.ts';
import { noCommunity } from '../../../../src/community/no-community.ts';
import type { Handlers } from '../../../commands/contract-client.ts';
import * as data from '../../../embeds/contract-data.ts';
import {
  channelId,
  guildId,
  startTimedWorld,
  type TimedWorldOptions,
  until,
  type World,
  type DiscordInput,
} from '../../discord-world.ts';

const never = '0 0 1 1 *';
const attachFiles = 1n << 15n;

/** A bot whose posts only run when the test says so. */
const startPosts = async (
  config: DiscordInput,
  handlers: Partial<Handlers> = {},
  options: TimedWorldOptions = {},
) => await startTimedWorld({ ...options, config, handlers });

const shown = (world: World, channel = channelId) => world.discord.messages(channel);
const edits = (world: World) => world.discord.requests.filter(({ method }) => method === 'PATCH');
const titles = (world: World) => shown(world).map(({ embeds }) => embeds[0]?.title);

/** A day in which a server was never empty. */
function history(from: number, to: number, stepMs: number): HistoryBucket[] {
  const count = Math.floor((to - from) / stepMs);
  return Array.from({ length: count }, (_, index) => ({
    at: from + index * stepMs,
    players: 20 + (index % 20),
    peak: 40,
    maxPlayers: 60,
  }));
}

const charts = createCharts(
  async (_, from, to, stepMs) => ({ timezone: 'Europe/Berlin', buckets: history(from, to, stepMs) }),
  pino({ level: 'silent' }),
);

const statusPost = { channelId, cron: never, servers: ['northwood-1'] };

describe('a leaderboard post', () => {
  const config = {
    leaderboardPosts: [{ channelId, cron: never, metric: 'PLAYER_KILLS' as const, limit: 10 }],
  };

  it('is edited when somebody climbs, and left alone while the service gives no answer', async () => {
    const handlers: Partial<Handlers> = {};
    const { world, clock } = await startPosts(config, handlers);
    await using _ = world;
    expect(shown(world)[0]?.embeds[0]?.description).toContain('🥇\u00a0Anna');
    handlers.listLeaderboards = () => ({ leaderboards: [data.leaderboard(['Dora', 'Anna'])] });
    await world.bot.jobs?.run();
    expect(shown(world)).toHaveLength(1);
    expect(shown(world)[0]?.embeds[0]?.description).toContain('🥇\u00a0Dora');
    handlers.listLeaderboards = () => Promise.reject(new Error('no answer'));
    clock.advance(600_000);
    await world.bot.jobs?.run();
    handlers.listLeaderboards = () => ({
      data: { leaderboards: [data.leaderboard(['Anna'])] },
      receivedAt: data.now,
      stale: true,
    });
    await world.bot.jobs?.run();
    expect(shown(world)[0]?.embeds[0]?.description).toContain('🥇\u00a0Dora');
    expect(edits(world)).toHaveLength(1);
  });
});

describe('a leaderboard post of a period', () => {
  const player = (name: string) => ({ steamId64: null, battleyeGuid: null, cftoolsId: null, name });
  const week = {
    id: 'week',
    kind: 'week',
    name: null,
    from: 0,
    until: null,
    previous: { name: null, from: 0 },
  } as const;
  const row = (rank: number, name: string, value: number) => ({
    rank,
    player: player(name),
    ref: `stored.${name}`,
    value,
    change: null,
  });
  const boards: Boards = {
    offered: async () => ({ periods: [week], weapons: [] }),
    read: async () => ({ rows: [row(1, 'Dora', 2.5)], since: 86_400_000, previous: [row(1, 'Anna', 3)] }),
    changes: async () => new Map(),
  };
  const place = { channelId, cron: never, limit: 10 };
  const start = async (post: { metric: BoardMetric; period: PeriodKind }, config: DiscordInput = {}) =>
    await startPosts(
      { leaderboardPosts: [{ ...place, ...post }], ...config },
      {},
      { bot: { community: { boards } } },
    );

  it('shows it with the first of the one before, and when it was updated', async () => {
    const { world } = await start({ metric: 'KD', period: 'week' });
    await using _ = world;
    expect(shown(world)[0]?.embeds[0]?.title).toBe('⚖️ K/D ratio · This week');
    expect(shown(world)[0]?.embeds[0]?.description?.split('\n')).toEqual([
      '🥇\u00a0Dora **2.5**',
      '-# Last week: 🥇\u00a0Anna\u00a0**3**',
      '-# Players with at least 5 kills.',
      '-# Counted by this bot from the server logs since <t:86400:D>.',
      `-# Updated <t:${Math.floor(data.now / 1000)}:R>`,
    ]);
  });

  it('shows all time while no such period runs', async () => {
    const { world } = await start({ metric: 'PLAYER_KILLS', period: 'season' });
    await using _ = world;
    expect(shown(world)[0]?.embeds[0]?.title).toBe('⚔️ Player kills');
    const note = "-# “Running season” can't be counted here, so this shows all time.";
    expect(shown(world)[0]?.embeds[0]?.description).toContain(note);
  });

  it('is not there of kills per death, which a bot on a service elsewhere cannot count', async () => {
    const leaderboardPosts = [{ ...place, metric: 'KD' as const }];
    const { world } = await startPosts({ leaderboardPosts }, {}, { bot: { community: noCommunity } });
    await using _ = world;
    expect(shown(world)).toEqual([]);
  });
});

describe('what a post shows of its project', () => {
  const bannerUrl = 'https://example.org/banner.png';
  const handlers: Partial<Handlers> = {
    getProject: () => ({ project: data.project, support: { ...data.support, bannerUrl } }),
  };
  const places = {
    leaderboardPosts: [{ channelId, cron: never, metric: 'PLAYER_KILLS' as const, limit: 10 }],
    schedulePosts: [{ channelId, cron: never, servers: ['northwood-1'] }],
    statusPosts: [statusPost],
  };

  it('is its banner, where no chart stands', async () => {
    const { world } = await startPosts(places, handlers);
    await using _ = world;
    expect(shown(world).map(({ embeds }) => embeds[0]?.image?.url)).toEqual([
      bannerUrl,
      bannerUrl,
      bannerUrl,
    ]);
    const withCharts = { bot: { pictures: charts } };
    const { world: other } = await startPosts({ statusPosts: [statusPost] }, handlers, withCharts);
    const url = shown(other)[0]?.embeds[0]?.image?.url;
    await other[Symbol.asyncDispose]();
    expect(url).toContain('players-24h.png');
  });

  it('is when a leaderboard was updated, which alone causes no edit', async () => {
    const { world, clock } = await startPosts({ leaderboardPosts: places.leaderboardPosts });
    await using _ = world;
    const updated = (at: number) => `-# Updated <t:${Math.floor(at / 1000)}:R>`;
    expect(shown(world)[0]?.embeds[0]?.description).toContain(updated(data.now));
    clock.advance(60_000);
    await world.bot.jobs?.run();
    expect(edits(world)).toEqual([]);
    clock.advance(600_000);
    await world.bot.jobs?.run();
    expect(shown(world)[0]?.embeds[0]?.description).toContain(updated(data.now + 660_000));
  });

  it('is the address that the owner made public', async () => {
    const community = { joinAddress: () => 'play.example.org:2302' };
    const { world } = await startPosts({ statusPosts: [statusPost] }, {}, { bot: { community } });
    await using _ = world;
    expect(shown(world)[0]?.embeds[0]?.fields).toContainEqual({
      name: 'Address',
      value: '`play.example.org:2302`',
      inline: true,
    });
  });
});

describe('a schedule post', () => {
  it('stands beside others of its channel and changes when a restart has passed', async () => {
    const { world, clock } = await startPosts({
      statusPosts: [statusPost],
      schedulePosts: [{ channelId, cron: never, servers: ['northwood-1'] }],
    });
    await using _ = world;
    expect(new Set(titles(world))).toEqual(
      new Set(['📅 Schedule · Northwood | Chernarus', '🟢 Northwood | Chernarus']),
    );
    const schedule = () => shown(world).find(({ embeds }) => embeds[0]?.title?.startsWith('📅'));
    const before = JSON.stringify(schedule()?.embeds);
    clock.advance(24 * 3_600_000);
    await world.bot.jobs?.run();
    expect(JSON.stringify(schedule()?.embeds)).not.toBe(before);
    expect(shown(world)).toHaveLength(2);
  });
});

describe('the chart of a status post', () => {
  it('is a picture in its embed, drawn again when the post is edited', async () => {
    const handlers: Partial<Handlers> = {};
    const options = { bot: { pictures: charts } };
    const { world } = await startPosts({ statusPosts: [statusPost] }, handlers, options);
    await using _ = world;
    const image = () => shown(world)[0]?.embeds[0]?.image as { url?: string } | undefined;
    expect(image()?.url).toMatch(/^http:\/\/127\.0\.0\.1:.*players-24h\.png$/);
    const picture = await fetch(image()!.url!);
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    handlers.listServers = () => ({ servers: [data.server({ players: 12 })] });
    await world.bot.jobs?.run();
    expect(shown(world)[0]?.embeds[0]?.description).toContain('12 / 60');
    expect(image()?.url).toMatch(/players-24h\.png$/);
    expect(shown(world)[0]?.attachments.map(({ description }) => description)).toEqual([
      expect.stringMatching(
        /^Player count chart for Northwood \| Chernarus · Players, last 24 hours · peak \d+$/,
      ),
    ]);
  });

  it('is not drawn while the post stays as it is', async () => {
    const players = vi.fn(charts.players);
    const options = { bot: { pictures: { ...charts, players } } };
    const { world, clock } = await startPosts({ statusPosts: [statusPost] }, {}, options);
    await using _ = world;
    expect(players).toHaveBeenCalledTimes(1);
    clock.advance(120_000);
    await world.bot.jobs?.run();
    expect(edits(world)).toHaveLength(0);
    expect(players).toHaveBeenCalledTimes(1);
    clock.advance(480_000);
    await world.bot.jobs?.run();
    expect(edits(world)).toHaveLength(1);
    expect(players).toHaveBeenCalledTimes(2);
  });

  it('is left out where the bot may not attach files, and the post stands all the same', async () => {
    const options = {
      bot: { pictures: charts },
      prepare: (discord: World['discord']) => discord.denyBot(channelId, attachFiles),
    };
    const { world, clock } = await startPosts({ statusPosts: [statusPost] }, {}, options);
    await using _ = world;
    expect(titles(world)).toEqual(['🟢 Northwood | Chernarus']);
    expect(shown(world)[0]?.embeds[0]?.image).toBeFalsy();
    // Discord shuts out who goes on trying what it has refused.
    clock.advance(600_000);
    await world.bot.jobs?.run();
    expect(edits(world)).toHaveLength(1);
    expect(shown(world)[0]?.embeds[0]?.image).toBeFalsy();
    world.discord.denyBot(channelId, 0n);
    clock.advance(3_600_000);
    await world.bot.jobs?.run();
    expect(shown(world)[0]?.embeds[0]?.image).toBeTruthy();
  });
});

describe('the buttons of a status post', () => {
  const joinUrl = (serverId: string) => `https://play.example.org/join/${serverId}`;
  interface Button {
    label: string;
    url: string;
  }
  const buttonsOf = (world: World) =>
    (shown(world)[0]?.components[0]?.components ?? []) as unknown as Button[];

  it('lead into the game, one a server', async () => {
    const statusPosts = [{ ...statusPost, servers: ['northwood-1', 'northwood-2'] }];
    const { world } = await startPosts({ statusPosts }, {}, { bot: { community: { joinUrl } } });
    await using _ = world;
    expect(buttonsOf(world).map(({ label, url }) => [label, url])).toEqual([
      ['Chernarus', joinUrl('northwood-1')],
      ['Livonia', joinUrl('northwood-2')],
    ]);
  });

  it('are left out where nothing leads there', async () => {
    const { world } = await startPosts({ statusPosts: [statusPost] });
    await using _ = world;
    expect(shown(world)).toHaveLength(1);
    expect(buttonsOf(world)).toEqual([]);
  });
});

describe('posts in several guilds', () => {
  const [german, germanChannel] = ['1100000000000000110', '1100000000000000210'];
  const [french, frenchChannel] = ['1100000000000000120', '1100000000000000220'];
  const guilds = [
    { id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] },
    { id: german, name: 'Nord', locale: 'de', channels: [{ id: germanChannel, name: 'status' }] },
    { id: french, name: 'Nord', locale: 'de', channels: [{ id: frenchChannel, name: 'statut' }] },
  ];
  const config = {
    guilds: [{ id: guildId }, { id: german }, { id: french, locale: 'fr' }],
    statusPosts: [channelId, germanChannel, frenchChannel].map((each) => ({
      ...statusPost,
      channelId: each,
    })),
  };

  it("are in each guild's language, unless the config says otherwise", async () => {
    const offline: Partial<Handlers> = { listServers: () => Promise.reject(new Error('no answer')) };
    const { world } = await startPosts(config, offline, { discord: { guilds } });
    await using _ = world;
    const titles = () =>
      [channelId, germanChannel, frenchChannel].map((each) => shown(world, each)[0]?.embeds[0]?.title);
    const title = (locale: string) => `⚪ ${languageOf(locale).t('status.unavailableTitle')}`;
    expect(titles()).toEqual([title('en-US'), title('de'), title('fr')]);
    await world.restart({ config: { guildIds: [], presence: false, ...config, locale: 'pl' } });
    await world.bot.jobs?.run();
    expect(titles()).toEqual([title('pl'), title('pl'), title('fr')]);
  });

  it('are left alone when the bot leaves a guild, and go on in the same message when it comes back', async () => {
    let awayMs = 0;
    const discord = { guilds, now: () => Date.now() + awayMs };
    const { world, clock } = await startPosts(config, {}, { discord });
    await using _ = world;
    const sent = () =>
      world.discord.requests.filter(({ path }) => path.startsWith(`/channels/${germanChannel}/`)).length;
    const [post] = shown(world, germanChannel);
    const before = sent();
    world.discord.removeGuild(german);
    await until(() => world.lines.some(({ msg }) => msg.includes('left the guild')));
    // Discord no longer knows the nonce of the first message.
    awayMs = 600_000;
    clock.advance(awayMs);
    await world.bot.jobs?.run();
    expect(sent()).toBe(before);
    expect(world.lines.filter(({ level }) => level >= 40)).toEqual([]);
    world.discord.addGuild(guilds[1]!);
    await until(() => sent() > before);
    await world.bot.jobs?.run();
    expect(shown(world, germanChannel).map(({ id }) => id)).toEqual([post?.id]);
  });
});

describe('fifty posts in one guild', () => {
  const channels = Array.from({ length: 10 }, (_, index) => ({
    id: `11000000000000005${String(index).padStart(2, '0')}`,
    name: `status-${index}`,
  }));
  const fifty = {
    statusPosts: Array.from({ length: 50 }, (_, index) => ({
      ...statusPost,
      channelId: channels[index % 10]!.id,
    })),
  };
  // Discord's own figures, made shorter for all alike.
  const windowMs = 600;
  const options = {
    discord: {
      guilds: [{ id: guildId, name: 'Northwood', channels }],
      messageLimits: { perChannel: { count: 3, windowMs } },
      // The limits' windows pass by themselves.
      now: Date.now,
    },
    timing: { staggerMs: 2 },
  };

  it('never run into a limit of Discord, neither at the start nor after an outage', async () => {
    const handlers: Partial<Handlers> = {};
    const { world, clock } = await startPosts(fifty, handlers, options);
    await using _ = world;
    const messages = () => channels.flatMap(({ id }) => world.discord.messages(id));
    await until(() => messages().length === 50);
    const end = world.discord.fail(
      { method: 'PATCH' },
      { status: 400, body: { code: 0, message: 'no' } },
      Infinity,
    );
    handlers.listServers = () => ({ servers: [data.server({ players: 12 })] });
    await world.bot.jobs?.run();
    end();
    clock.advance(120_000);
    await Promise.all([world.bot.jobs?.run(), world.bot.jobs?.run()]);
    await until(() => messages().every(({ embeds }) => embeds[0]?.description?.includes('12 / 60')));
    expect(messages()).toHaveLength(50);
    expect(world.discord.requests.filter(({ status }) => status === 429)).toEqual([]);
  });
});

describe('a post that is edited too often for its age', () => {
  it('waits as long as Discord says, with one line', async () => {
    const { world, clock } = await startPosts({ statusPosts: [statusPost] });
    await using _ = world;
    const body = { code: 30046, message: 'Maximum number of edits', retry_after: 90, global: false };
    world.discord.fail({ method: 'PATCH' }, { status: 429, headers: { 'retry-after': '90' }, body });
    clock.advance(600_000);
    await world.bot.jobs?.run();
    clock.advance(60_000);
    await world.bot.jobs?.run();
    expect(edits(world)).toHaveLength(1);
    expect(world.lines.filter(({ level }) => level >= 40)).toHaveLength(1);
    clock.advance(60_000);
    await world.bot.jobs?.run();
    expect(shown(world)).toHaveLength(1);
  });
});
