import { describe, expect, it } from 'vitest';
import { metricCodes } from '../../src/api/metrics.ts';
import type { CommandOptions, Reply } from '../../src/commands/command.ts';
import { writeComponentId } from '../../src/commands/component-id.ts';
import { commands, type CommandName } from '../../src/commands/index.ts';
import type { PlayerLinks } from '../../src/commands/interfaces/player-links.ts';
import type { Community } from '../../src/commands/interfaces/community.ts';
import type { CardContent } from '../../src/embeds/card/content.ts';
import { noCommunity } from '../../src/community/no-community.ts';
import * as data from '../embeds/contract-data.ts';
import { expectSendable } from '../embeds/message-rules.ts';
import { answerViolations } from '../harness/request-rules.ts';
import { componentsOf, labelled, press } from './components.ts';
import { asker, context, type PartialContext } from './context.ts';
import { contractClient, serviceError, type Handlers } from './contract-client.ts';

const member = asker();
const moderator = asker({ permissions: 4n });

async function ask(
  name: CommandName,
  options: CommandOptions = {},
  over: PartialContext = {},
): Promise<Reply> {
  const reply = await commands[name].run(context({ options, ...over }));
  expect(answerViolations(reply)).toEqual([]);
  return reply;
}

const client = (handlers: Partial<Handlers>) => ({ client: contractClient(handlers) });
const description = (reply: Reply | null) => reply?.embeds[0]?.description ?? '';
const title = (reply: Reply | null) => reply?.embeds[0]?.title;

const names = Array.from({ length: 25 }, (_, index) => `Player ${index + 1}`);
const board = client({
  listLeaderboards: ({ metric }) => ({
    leaderboards: [data.leaderboard(names, { metric: metric as 'DEATHS' })],
  }),
});

describe('/top', () => {
  it('turns pages, and says on which one it is', async () => {
    const first = await ask('top', { metric: 'DEATHS' }, board);
    expect(description(first)).toContain('Player\u00a010 ');
    expect(description(first)).not.toContain('Player\u00a011 ');
    expect(first.embeds[0]?.footer?.text).toBe('Top 25 · Page 1 of 3');
    expect(labelled(first, 'Previous').disabled).toBe(true);

    const second = await press(labelled(first, 'Next').customId, [], board);
    expect(description(second)).toContain('Player\u00a020 ');
    const last = await press(labelled(second!, 'Next').customId, [], board);
    expect(description(last).split('\n')).toHaveLength(5);
    expect(labelled(last!, 'Next').disabled).toBe(true);
    const again = await press(labelled(last!, 'Previous').customId, [], board);
    expect(again?.embeds).toEqual(second?.embeds);
  });

  it('keeps as many places on each page as were asked for', async () => {
    const first = await ask('top', { metric: 'DEATHS', limit: 4 }, board);
    const second = await press(labelled(first, 'Next').customId, [], board);
    expect(description(second).match(/Player.\d+/g)).toEqual(
      [5, 6, 7, 8].map((place) => `Player\u00a0${place}`),
    );
    expect(second?.embeds[0]?.footer?.text).toContain('Page 2 of 7');
  });

  it('changes the metric in place, from the first page on', async () => {
    const first = await ask('top', { metric: 'DEATHS' }, board);
    const second = await press(labelled(first, 'Next').customId, [], board);
    const menu = labelled(second!, 'Choose a leaderboard');
    expect([menu.choices.length, menu.chosen]).toEqual([metricCodes.length, ['DEATHS']]);
    const changed = await press(menu.customId, ['LONGEST_LIFE'], board);
    expect(title(changed)).toBe('🌲 Longest life');
    expect(labelled(changed!, 'Choose a leaderboard').chosen).toEqual(['LONGEST_LIFE']);
    expect(labelled(changed!, 'Previous').disabled).toBe(true);
  });

  it('has no pages to turn where there is one', async () => {
    const { components } = await ask('top', { metric: 'DEATHS' });
    expect(componentsOf({ components: components! }).map(({ kind }) => kind)).toEqual(['menu', 'menu']);
  });

  it('shows the last page when the board has become shorter', async () => {
    const first = await ask('top', { metric: 'DEATHS', limit: 5 }, board);
    const { customId } = labelled(first, 'Next');
    const short = client({ listLeaderboards: () => ({ leaderboards: [data.leaderboard(['Anna'])] }) });
    expect(description(await press(customId, [], short))).toContain('Anna');
  });
});

describe('the card of a player', () => {
  const drawn: CardContent[] = [];
  const card = async (content: CardContent) => {
    drawn.push(content);
    return { name: 'player.png', data: Buffer.from('png'), alt: content.name };
  };
  const cardMenu = "Show a player's card";
  const labels = (reply: Reply) => componentsOf(reply).map(({ label }) => label);

  it('is chosen in one menu below a page, of all its players', async () => {
    const over = { ...board, pictures: { card }, visibility: 'private', mayShare: true } as const;
    const all = await ask('top', { metric: 'PLAYER_KILLS', limit: 25 }, over);
    expect(labelled(all, cardMenu).choices).toHaveLength(25);
    expect(answerViolations(all)).toEqual([]);
    const page = await ask('top', { metric: 'PLAYER_KILLS', limit: 10 }, over);
    const next = await press(labelled(page, 'Next').customId, [], over);
    const text = JSON.stringify(next?.components);
    expect([...text.matchAll(/"label":"(\d+\. [^"]*)"/g)].map(([, label]) => label)).toEqual(
      names.slice(10, 20).map((name, index) => `${index + 11}. ${name}`),
    );
  });

  it('has no menu where nobody is on the board', async () => {
    const nobody = client({ listLeaderboards: () => ({ leaderboards: [] }) });
    const empty = await ask('top', { metric: 'DEATHS' }, { ...nobody, pictures: { card } });
    expect(labels(empty)).not.toContain(cardMenu);
  });

  it('is offered once for players whom nothing but a name tells apart', async () => {
    const rows = ['Twin', 'Twin'].map((name, index) => ({
      ...data.leaderboard(['x']).rows[0]!,
      rank: index + 1,
      player: data.reference({ steamId64: null, battleyeGuid: null, cftoolsId: null, name }),
    }));
    const twins = client({ listLeaderboards: () => ({ leaderboards: [{ ...data.leaderboard([]), rows }] }) });
    const reply = await ask('top', { metric: 'PLAYER_KILLS' }, { ...twins, pictures: { card } });
    expect(labelled(reply, cardMenu).choices).toHaveLength(1);
  });

  it('names player and community alone, and the answer below it neither', async () => {
    const options = { identifier: '76561198000000001', show: 'details' };
    const { embeds, files } = await ask('lookup', options, { pictures: { card } });
    expect(files).toHaveLength(1);
    expect([embeds[0]?.author, embeds[0]?.title]).toEqual([undefined, undefined]);
    expect(JSON.stringify(embeds)).toContain('(https://steamcommunity.com/profiles/76561198000000001)');
    const { embeds: others } = await ask('lookup', options);
    expect([others[0]?.author?.name, others[0]?.title]).toEqual(['Northwood', '👤 Survivor']);
  });

  it('is left out of an answer where it cannot be drawn', async () => {
    const broken = { card: () => Promise.reject(new Error('no font')) };
    const lookup = { identifier: '76561198000000001' };
    for (const pictures of [broken, {}]) {
      const reply = await ask('lookup', lookup, { pictures });
      expect([reply.files, reply.players]).toEqual([undefined, undefined]);
      expect(JSON.stringify(reply.embeds)).toContain('1,234');
    }
  });

  it('says of a player who is no longer on any board that there is none', async () => {
    const { player: anna, ...row } = data.leaderboard(['Anna']).rows[0]!;
    const player = { ...anna, steamId64: null, battleyeGuid: null, cftoolsId: null };
    const leaderboards = [{ ...data.leaderboard([]), rows: [{ ...row, player }] }];
    const alone = client({ listLeaderboards: () => ({ leaderboards }) });
    const top = await ask('top', { metric: 'DEATHS' }, { ...alone, pictures: { card } });
    const gone = client({ listLeaderboards: () => ({ leaderboards: [] }) });
    const menu = labelled(top, cardMenu);
    const values = [menu.choices[0]!];
    const reply = await press(menu.customId, values, { ...gone, pictures: { card } });
    expect(description(reply)).toBe("This player's card is no longer shown.");
  });
});

/** Links as a bot on a service elsewhere stores them, in memory. */
function links(
  linked: Record<string, string> = {},
  isProven = false,
): PlayerLinks & { linked: Record<string, string> } {
  return {
    ...noCommunity.links,
    linked,
    async get(userId) {
      const identifier = linked[userId];
      if (identifier === undefined) return null;
      return { name: null, identifier, ref: null, isProven, isHidden: false };
    },
    async claim(userId, identifier) {
      linked[userId] = identifier;
      return 'linked';
    },
    remove: async (userId) => delete linked[userId],
  };
}

const week = { id: 'week', kind: 'week' as const, name: null, from: 0, until: null, previous: null };

describe('the own rank', () => {
  const own = (steamId64: string, isProven = true) => ({
    community: { links: links({ [member.userId]: steamId64 }, isProven) },
  });
  const known = (over: Parameters<typeof data.player>[0] = {}) => ({
    ...board,
    ...client({
      listLeaderboards: ({ metric }) => ({
        leaderboards: [data.leaderboard(names, { metric: metric as 'DEATHS' })],
      }),
      getPlayer: ({ identifier }) => ({
        player: data.player({ steamId64: identifier, battleyeGuid: null, ...over }),
      }),
    }),
  });

  it("is shown on every page, whatever the player's rank", async () => {
    const reply = await ask('top', { metric: 'PLAYER_KILLS' }, { ...known(), ...own('76561198000000014') });
    expect(description(reply)).toContain('📍 Player 15 · rank **15** · **1,482**');
  });

  it('says where the member only claims to be the player', async () => {
    const claimed = own('76561198000000014', false);
    const reply = await ask('top', { metric: 'PLAYER_KILLS' }, { ...known(), ...claimed });
    expect(description(reply)).toContain('📍 Player 15 (claimed, not proven) · rank **15**');
  });

  it('is found under another identifier of the same player', async () => {
    const reference = { steamId64: '76561198000000014' };
    const reply = await ask(
      'top',
      { metric: 'PLAYER_KILLS' },
      { ...known(reference), community: { links: links({ [member.userId]: 'c'.repeat(24) }) } },
    );
    expect(description(reply)).toContain('rank **15**');
  });

  it('is not that of another player of the same name, where no identifier tells them apart', async () => {
    const reference = { steamId64: null, battleyeGuid: null, cftoolsId: null, name: 'Survivor' };
    const rows = [9, 4, 1].map((value, i) => ({ value, rank: i + 1 }));
    const player = data.player({ ...reference, stats: { ...data.player().stats, playerKills: 4 } });
    const link = { name: 'Survivor', identifier: null, ref: 'stored.2', isProven: true, isHidden: false };
    const community: Partial<Community> = {
      links: { ...links(), get: async () => link },
      players: { ...noCommunity.players, get: async () => player },
      boards: {
        offered: async () => ({ periods: [week], weapons: [] }),
        changes: async () => new Map(),
        read: async () => ({
          rows: rows.map(({ value, rank }) => {
            return { rank, player: data.reference(reference), ref: `stored.${rank}`, value, change: null };
          }),
          since: null,
          previous: [],
        }),
      },
    };
    const namesakes = client({
      listLeaderboards: () => ({
        leaderboards: [
          {
            metric: 'PLAYER_KILLS',
            unit: 'count',
            rows: rows.map(({ value, rank }) => {
              return { rank, value, valueText: String(value), player: data.reference(reference) };
            }),
          },
        ],
      }),
    });
    for (const options of [{}, { period: 'week' }]) {
      const reply = await ask('top', { metric: 'PLAYER_KILLS', ...options }, { ...namesakes, community });
      expect(description(reply)).toContain('📍 Survivor · rank **2** · **4**');
    }
  });

  it('tells a player beyond a board by period from one who is not on it', async () => {
    const all = Array.from({ length: 40 }, (_, i) => {
      const player = data.reference({ steamId64: `7656119800000${1000 + i}`, name: `Player ${i + 1}` });
      return { rank: i + 1, player, ref: `stored.${i + 1}`, value: 40 - i, change: null };
    });
    const placeOf = async (ref: string): Promise<string> => {
      const link = { name: 'Mira', identifier: null, ref, isProven: true, isHidden: false };
      const community: Partial<Community> = {
        links: { ...links(), get: async () => link },
        boards: {
          offered: async () => ({ periods: [week], weapons: [] }),
          changes: async () => new Map(),
          read: async (_, limit) => ({ rows: all.slice(0, limit), since: null, previous: [] }),
        },
      };
      const reply = await ask('top', { metric: 'PLAYER_KILLS', period: 'week' }, { community });
      return description(reply)
        .split('\n')
        .filter((line) => line.startsWith('📍'))
        .join();
    };
    expect(await placeOf('stored.20')).toBe('📍 Player 20 · rank **20** · **21**');
    expect(await placeOf('stored.35')).toBe('📍 Mira · **6** · outside the top 25');
    expect(await placeOf('stored.99')).toBe('📍 Mira · not on this leaderboard yet');
  });

  it('is honest about a player beyond the board, or not on it', async () => {
    const beyond = await ask('top', { metric: 'PLAYER_KILLS' }, { ...known(), ...own('76561199999999999') });
    expect(description(beyond)).toContain('📍 Survivor · **1,234** · outside the top 25');
    const never = await ask('top', { metric: 'ANIMAL_KILLS' }, { ...known(), ...own('76561199999999999') });
    expect(description(never)).toContain('📍 Survivor · not on this leaderboard yet');
  });

  it('is left out for members who are linked to nobody, and when links cannot be read', async () => {
    expect(description(await ask('top', { metric: 'DEATHS' }, board))).not.toContain('📍');
    const broken = { ...links(), get: () => Promise.reject(new Error('the disk is full')) };
    const reply = await ask('top', { metric: 'DEATHS' }, { ...board, community: { links: broken } });
    expect(description(reply)).toContain('Player\u00a01 ');
  });
});

describe('/lookup', () => {
  const identifier = '76561198000000001';

  it('lets a member say which player they are, and take it back', async () => {
    const kept = links();
    const community = { links: kept };
    const first = await ask('lookup', { identifier }, { community, visibility: 'private' });
    const { customId } = labelled(first, 'This is me');
    expect(commands.lookup.components?.mode('link')).toBe('private');
    expect(title(await press(customId, [], { community }))).toBe('📍 You are linked');
    expect(kept.linked).toEqual({ [member.userId]: identifier });

    const second = await ask('lookup', { identifier }, { community, visibility: 'private' });
    expect(description(second)).toContain('📍 This is you · claimed, not proven');
    await press(labelled(second, "This isn't me").customId, [], { community });
    expect(kept.linked).toEqual({});
  });

  it('links nobody to a player who is not known any more', async () => {
    const kept = links();
    const community = { links: kept };
    const { customId } = labelled(
      await ask('lookup', { identifier }, { community, visibility: 'private' }),
      'This is me',
    );
    const gone = client({ getPlayer: () => Promise.reject(serviceError('not_found')) });
    expect(title(await press(customId, [], { ...gone, community }))).toContain('🔍');
    expect(kept.linked).toEqual({});
  });

  it('knows the kind of what was typed, and Steam’s older ways to write it', async () => {
    const footer = async (text: string) =>
      (await ask('lookup', { identifier: text })).embeds[0]?.footer?.text;
    expect(await footer(identifier)).toBe('Found by SteamID64');
    expect(await footer('d41d8cd98f00b204e9800998ecf8427e')).toBe('Found by BattlEye GUID');
    const asked: string[] = [];
    const asking = client({
      getPlayer: (input) => {
        asked.push(input.identifier);
        return { player: data.player() };
      },
    });
    for (const text of ['STEAM_0:1:28429162', '[U:1:56858325]', 'u:1:56858325']) {
      await ask('lookup', { identifier: text }, asking);
    }
    expect(new Set(asked)).toEqual(new Set(['76561198017124053']));
  });

  it('names no kind where a name was typed, nor once a button has unfolded the answer', async () => {
    const boards = client({
      listLeaderboards: () => ({ leaderboards: [data.leaderboard(['Anna', 'Bert'])] }),
    });
    const shown = await ask('lookup', { identifier: 'Anna' }, { ...boards, visibility: 'private' });
    const { customId } = labelled(shown, 'IDs and names');
    const unfolded = await press(customId, [], { ...boards, visibility: 'private' });
    expect(unfolded?.embeds[0]?.fields?.map(({ name }) => name)).toContain('Identifiers');
    expect([shown, unfolded].map((reply) => reply?.embeds[0]?.footer)).toEqual([undefined, undefined]);
  });

  it('finds a player on a leaderboard by name, and asks back when several fit', async () => {
    const boards = client({
      listLeaderboards: () => ({ leaderboards: [data.leaderboard(['Anna', 'Annabel', 'Bert'])] }),
    });
    expect(title(await ask('lookup', { identifier: 'anna' }, boards))).toBe('👤 Survivor');
    expect(title(await ask('lookup', { identifier: 'bert' }, boards))).toBe('👤 Survivor');
    const several = await ask('lookup', { identifier: 'ann' }, boards);
    expect(description(several)).toMatch(/“ann” matches several players[^]+\*\*Anna\*\*[^]+\*\*Annabel\*\*/);
    expect(description(await ask('lookup', { identifier: 'zoe' }, boards))).toContain(
      'No player called “zoe” is known here.',
    );
  });

  it('takes a suggestion for the one whose name it is, though others differ in case', async () => {
    const unnamed = { steamId64: null, battleyeGuid: null, cftoolsId: null };
    const stored = ['Ann', 'ANN'].map((name) => ({ ref: name, player: data.player({ ...unnamed, name }) }));
    const rows = stored.map(({ player }, i) => {
      const { name } = player;
      return { rank: i + 1, player: data.reference({ ...unnamed, name }), value: 3 - i, valueText: '3' };
    });
    const over = {
      ...client({ listLeaderboards: () => ({ leaderboards: [data.leaderboard([], { rows })] }) }),
      community: {
        players: { ...noCommunity.players, named: async () => stored },
      },
    };
    const top = await ask('top', { metric: 'PLAYER_KILLS' }, over);
    const identifier = labelled(top, "Show a player's card").choices[1]!;
    expect(title(await ask('lookup', { identifier }, over))).toBe('👤 ANN');
    expect(description(await ask('lookup', { identifier: 'ann' }, over))).toContain(
      'matches several players',
    );
  });

  it('asks by name for who is meant, where a suggestion or a row stands for several without an identifier', async () => {
    const unnamed = { steamId64: null, battleyeGuid: null, cftoolsId: null };
    const stored = ['1', '2'].map((ref) => ({ ref, player: data.player({ ...unnamed, name: 'Survivor' }) }));
    const row = {
      rank: 1,
      player: data.reference({ ...unnamed, name: 'Survivor' }),
      value: 3,
      valueText: '3',
    };
    const over = {
      ...client({ listLeaderboards: () => ({ leaderboards: [data.leaderboard([], { rows: [row] })] }) }),
      community: {
        players: { ...noCommunity.players, named: async () => stored },
      },
    };
    const menu = labelled(await ask('top', { metric: 'PLAYER_KILLS' }, over), "Show a player's card");
    const [identifier = ''] = menu.choices;
    expect(description(await press(menu.customId, [identifier], over))).toContain(
      '“Survivor” matches several players',
    );
    expect(description(await ask('lookup', { identifier }, over))).toContain('“Survivor” matches several');
  });

  it('distinguishes players with the same name, and opens the chosen one', async () => {
    const twins = new Map(
      ['2026-11-01T10:00:00.000Z', '2026-11-20T10:00:00.000Z'].map((lastSeenAt, index) => {
        const steamId64 = `7656119800000000${index}`;
        return [`stored.${index}`, data.player({ steamId64, name: 'Twin', lastSeenAt })];
      }),
    );
    const asked: string[] = [];
    const players = {
      ...noCommunity.players,
      named: async () => Array.from(twins, ([ref, player]) => ({ ref, player })),
      get: async (ref: string) => twins.get(ref) ?? null,
    };
    const over = {
      ...client({
        getPlayer: ({ identifier: id }) => {
          asked.push(id);
          return { player: data.player({ steamId64: id, name: 'Twin' }) };
        },
      }),
      community: { players },
    };
    const several = await ask('lookup', { identifier: 'twin' }, over);
    const [later, earlier] = description(several).split('\n').slice(-2);
    expect(later).toMatch(/^\*\*Twin\*\* · .* · …0001 · Last seen <t:\d+:R>$/);
    expect(earlier).toMatch(/^\*\*Twin\*\* · .* · …0000 · Last seen <t:\d+:R>$/);
    const menu = labelled(several, 'Choose a player');
    expect([menu.choices.join().includes('7656'), asked]).toEqual([false, []]);

    const opened = await press(menu.customId, [menu.choices[1] as string], over);
    expect(asked).toEqual(['76561198000000000']);
    expect(opened?.embeds[0]?.footer).toBeUndefined();
  });

  it('asks which one of a leaderboard is meant, without a request for each', async () => {
    const names = Array.from({ length: 25 }, () => 'Survivor');
    const boards = client({
      listLeaderboards: () => ({ leaderboards: [data.leaderboard(names)] }),
      getPlayer: () => Promise.reject(new Error('one by one')),
    });
    const several = await ask('lookup', { identifier: 'Survivor' }, boards);
    expect(labelled(several, 'Choose a player').choices).toHaveLength(25);
    expect(new Set(description(several).match(/…\d{4}/g)).size).toBe(25);
  });

  it('completes names so that those of one name differ, without giving an identifier away', async () => {
    const twins = client({
      listLeaderboards: () => ({ leaderboards: [data.leaderboard(['Twin', 'Twin', 'Anna'])] }),
    });
    const complete = async (typed: string) =>
      (await commands.lookup.autocomplete?.({
        ...context(twins),
        focused: { name: 'identifier', value: typed },
      })) ?? [];
    expect((await complete('')).map(({ name }) => name)).toEqual(['Twin · …0000', 'Twin · …0001', 'Anna']);
    expect(await complete('765611980')).toEqual([]);
    const [, second] = await complete('twin');
    const boards = client({
      listLeaderboards: () => ({ leaderboards: [data.leaderboard(['Twin', 'Twin', 'Anna'])] }),
      getPlayer: ({ identifier: id }) => ({ player: data.player({ steamId64: id }) }),
    });
    const folded = await ask('lookup', { identifier: second?.value ?? '' }, boards);
    expect(JSON.stringify(folded.embeds)).not.toContain('76561198000000001');
    const answer = (await press(labelled(folded, 'IDs and names').customId, [], boards))!;
    expect(JSON.stringify(answer.embeds)).toContain('76561198000000001');
    expect(folded.embeds[0]?.footer).toBeUndefined();
  });

  it("shows the id in the game's own logs with the others", async () => {
    const details = { playerId: 1, gameId: 'game-id', kills: null, ranks: {}, activity: null };
    const players = { ...noCommunity.players, details: async () => details };
    const shown = async (show: string) =>
      JSON.stringify((await ask('lookup', { identifier, show }, { community: { players } })).embeds);
    expect(await shown('details')).toContain('Game ID `game-id`');
    expect(await shown('')).not.toContain('game-id');
  });

  const bans = async (over: PartialContext) => {
    const reply = await ask('lookup', { identifier, show: 'details' }, over);
    return reply.embeds[0]?.fields?.find((field) => field.name === 'Active bans')?.value;
  };

  it('shows active bans to members who may ban, and to them alone', async () => {
    expect(await bans({ asker: moderator, visibility: 'private' })).toContain(
      '🔨 Northwood bans: **Cheating',
    );
    expect(await bans({ asker: member, visibility: 'private' })).toBeUndefined();
    expect(await bans({ asker: moderator, visibility: 'public' })).toBeUndefined();
  });

  it('distinguishes no ban and could not check', async () => {
    const asking = { asker: moderator, visibility: 'private' } as const;
    const lists = () => ({ banlists: [data.banlist({ banCount: 0 })] });
    const none = client({ listBans: () => ({ bans: [] }), listBanlists: lists });
    expect(await bans({ ...asking, ...none })).toBe('✅ None. 1 list was checked in full.');
    const fails = () => Promise.reject(serviceError('internal_error'));
    expect(await bans({ ...asking, ...client({ listBans: fails }) })).toContain('❓');
    expect(await bans({ ...asking, ...client({ listBanlists: fails }) })).toBe(
      "❓ Couldn't be checked right now.",
    );
  });

  it('shows bans of a player who was never seen', async () => {
    const unknown = client({ getPlayer: () => Promise.reject(serviceError('not_found')) });
    const reply = await ask(
      'lookup',
      { identifier },
      { ...unknown, asker: moderator, visibility: 'private' },
    );
    expect(title(reply)).toBe('🔍 Not found');
    expect(reply.embeds[0]?.fields?.[0]?.value).toContain('🔨');
  });
});

describe('/bans', () => {
  const ban = (index: number) =>
    data.ban({
      player: { ...data.reference({ name: `Banned ${index}` }), aliases: [] },
      reason: 'r'.repeat(1 + ((index * 37) % 240)),
    });
  const many = client({
    listBanlists: () => ({
      banlists: [data.banlist({ banCount: 345 }), data.banlist({ id: 'b', name: 'B' })],
    }),
    listBans: () => ({ bans: Array.from({ length: 200 }, (_, index) => ban(index + 1)) }),
  });
  const asking = { ...many, asker: moderator, visibility: 'private' } as const;

  it('shows every ban that can be read exactly once over its pages, and says how many cannot', async () => {
    let reply: Reply | null = await ask('bans', { list: 'northwood-bans' }, asking);
    const seen: string[] = [];
    for (;;) {
      expectSendable(reply!.embeds);
      expect(description(reply)).toContain('**345** active bans');
      seen.push(...(description(reply).match(/Banned \d+/g) ?? []));
      const next = labelled(reply!, 'Next');
      if (next.disabled) break;
      reply = await press(next.customId, [], asking);
    }
    expect(seen).toEqual(Array.from({ length: 200 }, (_, index) => `Banned ${index + 1}`));
    expect(description(reply)).toContain("145 older bans can't be shown here");
  });

  it('changes the list in place', async () => {
    const reply = await ask('bans', {}, asking);
    const chosen = await press(labelled(reply, 'Choose a ban list').customId, ['b'], asking);
    expect(title(chosen)).toBe('📋 B');
  });

  it('says that a list is no longer here, and offers the others', async () => {
    const reply = await ask('bans', { list: 'b' }, asking);
    const { customId } = labelled(reply, 'Next');
    const gone = await press(customId, [], { asker: moderator, ...client({}) });
    expect(title(gone)).toBe('🚫 Ban list not found');
    expect(description(gone)).toContain('This list no longer exists.');
  });

  it('checks again with a button', async () => {
    const reply = await ask('bans', { identifier: '76561198000000001', list: 'northwood-bans' }, asking);
    const clean = client({
      listBans: () => ({ bans: [] }),
      listBanlists: () => ({ banlists: [data.banlist({ banCount: 0 })] }),
    });
    const again = await press(labelled(reply, 'Check again').customId, [], { ...clean, asker: moderator });
    expect(title(again)).toBe('✅ Not banned');
  });
});

describe('answers about servers', () => {
  it.each(['status', 'schedule'] as const)('/%s changes between one server and all', async (name) => {
    const all = await ask(name);
    const one = await press(labelled(all, 'Choose a server').customId, ['northwood-2']);
    expect(title(one)).toContain('Northwood | Livonia');
    expect(labelled(one!, 'Choose a server').chosen).toEqual(['northwood-2']);
    const back = await press(labelled(one!, 'All servers').customId);
    expect(back?.embeds).toEqual(all.embeds);
  });

  it('/online changes the server', async () => {
    const one = await ask('online', { server: 'northwood-1' });
    const other = await press(labelled(one, 'Choose a server').customId, ['northwood-2']);
    expect(title(other)).toBe('👥 Players on Northwood | Livonia');
  });

  it('says that a server is no longer here, to who pressed only', async () => {
    const servers = [data.server({ id: 'a-very-long-id-of-a-server-that-needs-a-digest', name: 'Long' })];
    const asked = await ask('status', { server: 'Long' }, client({ listServers: () => ({ servers }) }));
    const { customId } = labelled(asked, 'Refresh');
    expect(title(await press(customId, [], client({ listServers: () => ({ servers }) })))).toBe('🟢 Long');
    const gone = await press(customId);
    expect(description(gone)).toContain('This server no longer exists.\nAvailable: Northwood');
    expect(gone?.visibility).toBe('private');
  });

  it('do not take another server for one that is no longer here', async () => {
    const servers = ['north', 'northwood'].map((id) => data.server({ id, name: id }));
    const asked = await ask('status', { server: 'north' }, client({ listServers: () => ({ servers }) }));
    const left = client({ listServers: () => ({ servers: servers.slice(1) }) });
    const gone = await press(labelled(asked, 'Refresh').customId, [], left);
    expect(description(gone)).toContain('This server no longer exists.');
  });

  it('has a link to join, a chart and the queue where there are such', async () => {
    const community = {
      joinUrl: (serverId: string) => `https://example.org/join/${serverId}`,
      live: () => ({ queue: 3, sessions: [], observedAt: data.now }),
    };
    const pictures = { players: async () => ({ name: 'players.png', data: Buffer.from('png') }) };
    const one = await ask('status', { server: 'northwood-1' }, { community, pictures });
    expect(labelled(one, 'Join').customId).toBe('https://example.org/join/northwood-1');
    expect(one.embeds[0]?.url).toBe('https://example.org/join/northwood-1');
    const [first] = (await ask('status', {}, { community, pictures })).embeds[0]!.fields!;
    expect(first?.value).toContain('[Join](https://example.org/join/northwood-1)');
    expect(one.embeds[0]?.image?.url).toBe('attachment://players.png');
    expect(one.files?.map((file) => file.name)).toEqual(['players.png']);
    expect(description(one)).toContain('3 in queue');

    const broken = { players: async () => null };
    const without = await ask('status', { server: 'northwood-1' }, { pictures: broken });
    expect([without.files, without.embeds[0]?.image]).toEqual([undefined, undefined]);
    expect(componentsOf(without).map(({ label }) => label)).not.toContain('Join');
    expect(JSON.stringify(without.embeds)).not.toContain('/join/');
  });

  it('draws a day, a week or the hours of the week, of one server or of all', async () => {
    const drawn: [string, number][] = [];
    const players = async ({ range, servers }: { range: string; servers: readonly unknown[] }) => {
      drawn.push([range, servers.length]);
      return { name: `${range}.png`, data: Buffer.from('png') };
    };
    const over = { pictures: { players } };
    const all = await ask('status', {}, over);
    expect(all.files).toBeUndefined();
    const day = await press(labelled(all, 'Last 24 hours').customId, [], over);
    const week = await press(labelled(day!, 'Last 7 days').customId, [], over);
    expect(week?.embeds[0]?.image?.url).toBe('attachment://7d.png');
    const one = await press(labelled(week!, 'Choose a server').customId, ['northwood-1'], over);
    const oneDay = await press(labelled(one!, 'Last 24 hours').customId, [], over);
    const hours = await press(labelled(oneDay!, 'By hour').customId, [], over);
    await press(labelled(hours!, 'Last 7 days').customId, [], over);
    expect(drawn).toEqual([
      ['24h', 3],
      ['7d', 3],
      ['7d', 1],
      ['24h', 1],
      ['week', 1],
      ['7d', 1],
    ]);
    const elsewhere = await ask('status', {}, { community: { hasStore: false } });
    expect(componentsOf(elsewhere).map(({ label }) => label)).not.toContain('Last 24 hours');
  });
});

describe('a project of 300 servers', () => {
  const servers = Array.from({ length: 300 }, (_, index) =>
    data.server({ id: `s-${index}`, name: `Server ${index}` }),
  );
  const many = client({ listServers: () => ({ servers }) });
  const ids = servers.map(({ id }) => id);

  it.each(['status', 'schedule', 'online'] as const)(
    'has the servers of one page in the menu of /%s',
    async (name) => {
      const one = await ask(name, { server: 's-150' }, many);
      const { choices, chosen } = labelled(one, 'Choose a server');
      expect([choices, chosen]).toEqual([ids.slice(150, 175), ['s-150']]);
    },
  );

  it('is shown in pages, the menu below each holding the same servers', async () => {
    const shown: string[] = [];
    let reply: Reply | null = await ask('status', {}, many);
    expect(reply.embeds[0]?.footer?.text).toBe('Page 1 of 12');
    expect(description(reply)).toContain('of 300 servers');
    for (;;) {
      const names = (reply?.embeds[0]?.fields ?? []).map(({ name }) => name.replace(/^\S+ Server /, 's-'));
      shown.push(...names);
      const { choices } = labelled(reply!, 'Choose a server');
      expect(choices).toEqual(names);
      const next = labelled(reply!, 'Next');
      if (next.disabled) break;
      reply = await press(next.customId, [], many);
    }
    expect(shown).toEqual(ids);
  });

  it('leads from one server back to the page of the list on which it stands', async () => {
    const one = await ask('status', { server: 's-150' }, many);
    const all = await press(labelled(one, 'All servers').customId, [], many);
    expect(all?.embeds[0]?.fields?.map(({ name }) => name)).toContain('🟢 Server 150');
    const refreshed = await press(labelled(all!, 'Refresh').customId, [], many);
    expect(refreshed?.embeds).toEqual(all?.embeds);
  });

  it('reads the schedules of a page at once where they are at hand', async () => {
    const asked: (readonly string[])[] = [];
    const community = {
      schedules: async (serverIds: readonly string[]) => {
        asked.push(serverIds);
        return new Map(serverIds.map((id) => [id, data.schedules]));
      },
    };
    const refusing = client({
      listServers: () => ({ servers }),
      listSchedules: () => Promise.reject(new Error('one by one')),
    });
    const status = await ask('status', {}, { ...refusing, community });
    expect(status.embeds[0]?.fields?.[0]?.value).toContain('restart');
    const second = await press(
      labelled(await ask('schedule', {}, { ...refusing, community }), 'Next').customId,
      [],
      {
        ...refusing,
        community,
      },
    );
    expect(second?.embeds[0]?.fields).toHaveLength(25);
    expect(asked).toEqual([ids.slice(0, 25), ids.slice(0, 25), ids.slice(25, 50)]);
  });
});

describe('sharing', () => {
  const questions = [
    ['status', {}],
    ['online', { server: 'northwood-1' }],
    ['top', { metric: 'DEATHS' }],
    ['lookup', { identifier: '76561198000000001' }],
    ['bans', { list: 'northwood-bans' }],
    ['bans', { identifier: '76561198000000001' }],
    ['schedule', {}],
  ] satisfies [CommandName, CommandOptions][];

  it.each(questions)('of /%s %j is offered below a private answer, to who may', async (name, options) => {
    const labels = async (over: PartialContext) =>
      componentsOf(await ask(name, options, { asker: moderator, ...over })).map(({ label }) => label);
    expect(await labels({ visibility: 'private', mayShare: true })).toContain('Share in channel');
    expect(await labels({ visibility: 'private', mayShare: false })).not.toContain('Share in channel');
    expect(await labels({ visibility: 'public', mayShare: true })).not.toContain('Share in channel');
  });

  it.each(questions)('of /%s %j shows the same answer', async (name, options) => {
    const asked = await ask(name, options, { asker: moderator, visibility: 'private', mayShare: true });
    const { customId } = labelled(asked, 'Share in channel');
    const shared = await press(customId, [], { asker: moderator, visibility: 'public' });
    expect(title(shared)).toBe(title(asked));
    expect(commands[name].components?.mode('share')).toBe('public');
  });
});

describe('a component that is not as the bot makes it', () => {
  const { ownerId } = context();
  it.each([
    ['another action', 'top', 'explode', ['DEATHS', '', '', ''], []],
    ['too few parts', 'top', 'view', ['DEATHS', '', ''], []],
    ['too many parts', 'top', 'view', ['DEATHS', '', '', '', ''], []],
    ['a page that is no number', 'top', 'view', ['DEATHS', '', '-1', ''], []],
    ['a choice where nothing is to be chosen', 'top', 'view', ['DEATHS', '', '', ''], ['KILLS']],
    ['no choice where one is to be made', 'top', 'pick', ['*', '', '', ''], []],
    ['two choices', 'top', 'pick', ['*', '*', '', ''], ['DEATHS', '5']],
    ['a player that is none', 'lookup', 'link', ['nobody', '', ''], []],
  ])('is not understood: %s', async (_, command, action, args, values) => {
    const customId = writeComponentId({ command, action, ownerId, args });
    expect(await press(customId, values, { community: { links: links() } })).toBeNull();
  });

  it.each([
    ['top', ['HEADSHOTS', '', '', ''], 'There is no leaderboard called “HEADSHOTS”'],
    ['top', ['', '', '', ''], 'There is no leaderboard'],
    ['status', ['nowhere', '', ''], 'This server no longer exists.'],
    ['lookup', ['~~', '', ''], 'No player called'],
    ['bans', ['', 'x', ''], "isn't a valid player identifier"],
  ])('is answered in words: /%s %j', async (command, args, words) => {
    const reply = await press(writeComponentId({ command, action: 'view', ownerId, args }));
    expect(description(reply)).toContain(words);
    expect(reply?.visibility).toBe('private');
  });
});
