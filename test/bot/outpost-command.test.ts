import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { Invocation } from 'local-discord';
import { languageOf } from '../../src/locales/language.ts';
import type { Handlers } from '../commands/contract-client.ts';
import * as data from '../embeds/contract-data.ts';
import { aDeath, createDeaths } from './channels/feeds/feed-world.ts';
import { noCommunity } from '../../src/community/no-community.ts';
import {
  channelId,
  choose,
  guildId,
  manager,
  member,
  menusOf,
  startTimedWorld,
  type TimedWorldOptions,
  useOutpost,
  type World,
} from './discord-world.ts';

const roleId = '1100000000000000701';
const guilds = [
  {
    id: guildId,
    name: 'Northwood',
    channels: [{ id: channelId, name: 'general' }],
    roles: [{ id: roleId, name: 'Regulars', mentionable: true }],
  },
];

async function start(handlers: Partial<Handlers> = {}, options: TimedWorldOptions = {}) {
  const { world, clock } = await startTimedWorld({ ...options, handlers, discord: { guilds } });
  const use = (command: string, given: Record<string, string | number | boolean> = {}) =>
    useOutpost(world, command, given);
  return { world, use, advance: (minutes: number) => clock.advance(minutes * 60_000) };
}

const menuOf = (answer: Invocation) => menusOf(answer)[0];
const textOf = ({ message }: Invocation) => message?.embeds[0]?.description ?? '';
const shown = (world: World) => world.discord.messages(channelId);

describe('/outpost setup', () => {
  it('asks which servers, and places a post that keeps itself up to date', async () => {
    const handlers: Partial<Handlers> = {};
    const { world, use, advance } = await start(handlers);
    await using _ = world;
    const asked = await use('setup', { kind: 'status' });
    expect(asked.ephemeral).toBe(true);
    expect(shown(world)).toEqual([]);
    expect(menuOf(asked)?.options.map(({ value }) => value)).toEqual(data.servers.map(({ id }) => id));
    const placed = await choose(world, asked, ['northwood-1']);
    // Nobody finds a menu that places a second one.
    expect(placed.acknowledgement).toBe('update');
    const [post] = shown(world);
    expect(post?.embeds[0]?.title).toBe('🟢 Northwood | Chernarus');
    expect(textOf(placed)).toContain(`/channels/${guildId}/${channelId}/${post?.id}`);
    expect(placed.message?.components).toEqual([]);
    handlers.listServers = () => ({ servers: [data.server({ players: 12 })] });
    advance(2);
    await world.bot.jobs?.run();
    expect(shown(world).map(({ id }) => id)).toEqual([post?.id]);
    expect(shown(world)[0]?.embeds[0]?.description).toContain('12 / 60');
  });

  it('places a status post with names of who is online', async () => {
    const players = [{ name: 'Anna', seconds: null, isLoading: false }];
    const logged = new Map([['northwood-1', { players, asOf: data.now, isComplete: true }]]);
    const { world, use } = await start({}, { bot: { community: { loggedPlayers: async () => logged } } });
    await using _ = world;
    await choose(world, await use('setup', { kind: 'status', names: true }), ['northwood-1']);
    await choose(world, await use('setup', { kind: 'status' }), ['northwood-1']);
    const fields = shown(world).map(({ embeds }) => embeds[0]?.fields?.map(({ value }) => value).join('\n'));
    expect(fields[0]).toContain('Anna');
    expect(fields[1]).not.toContain('Anna');
  });

  it('is kept up to date by a bot that could not read the placements when it started', async () => {
    const handlers: Partial<Handlers> = {};
    const timing = { readPlacementsMs: 200 };
    const { world, use, advance } = await start(handlers, { timing });
    await using _ = world;
    await choose(world, await use('setup', { kind: 'status' }), ['northwood-1']);
    const { keyv } = world;
    const get = keyv.get.bind(keyv);
    let failed = 0;
    keyv.get = (async (key: string) => {
      if (key !== 'placements' || failed === 3) return await get(key);
      failed += 1;
      throw new Error('the store is away');
    }) as typeof keyv.get;
    handlers.listServers = () => ({ servers: [data.server({ players: 12 })] });
    advance(2);
    await world.restart();
    await expect.poll(() => failed).toBe(3);
    // It is placed before the next attempt, and must not be started by that again.
    await use('setup', { kind: 'status' });
    const shows = () => shown(world).map(({ embeds }) => embeds[0]?.description?.includes('12 / 60'));
    await expect.poll(shows).toEqual([true, true]);
    expect(menuOf(await use('posts'))?.options).toHaveLength(2);
    const told = world.lines.filter(({ msg }) => msg.includes('placements of members'));
    expect(told.map(({ level }) => level)).toEqual([40]);
  });

  it('places one post when its menu is used twice at once, and says so both times', async () => {
    const { world, use } = await start();
    await using _ = world;
    const asked = await use('setup', { kind: 'status' });
    const answers = await Promise.all([
      choose(world, asked, ['northwood-1']),
      choose(world, asked, ['northwood-1']),
    ]);
    expect(shown(world)).toHaveLength(1);
    for (const answer of answers) expect(textOf(answer)).toContain(shown(world)[0]?.id);
    expect(menuOf(await use('posts'))?.options).toHaveLength(1);
  });

  it('offers every server, 25 in a menu', async () => {
    const servers = Array.from({ length: 60 }, (_, index) =>
      data.server({ id: `s-${index}`, name: `Server ${index}` }),
    );
    const { world, use } = await start({ listServers: () => ({ servers }) });
    await using _ = world;
    const asked = await use('setup', { kind: 'status', chart: 'none' });
    const menus = menusOf(asked);
    expect(menus.map(({ options }) => options.length)).toEqual([25, 25, 10]);
    const offered = menus.flatMap(({ options }) => options.map(({ value }) => value));
    expect(offered).toEqual(servers.map(({ id }) => id));
    const { custom_id: customId } = menus[2]!;
    await world.discord.select({
      messageId: asked.message!.id,
      customId,
      user: manager,
      values: ['s-59', 's-58'],
    });
    expect(JSON.stringify(shown(world)[0]?.embeds)).toContain('Server 59');
  });

  it('stands after a restart of the bot, once', async () => {
    const { world, use, advance } = await start();
    await using _ = world;
    await use('setup', { kind: 'leaderboard', metric: 'PLAYER_KILLS', language: 'de' });
    const [post] = shown(world);
    expect(post?.embeds[0]?.title).toContain(languageOf('de').t('metric.PLAYER_KILLS'));
    await world.restart();
    advance(10);
    await world.bot.jobs?.run();
    expect(shown(world).map(({ id }) => id)).toEqual([post?.id]);
    expect(world.discord.requests.some(({ method }) => method === 'PATCH')).toBe(true);
  });

  it('says which permission is missing, and places nothing', async () => {
    const { world, use } = await start();
    await using _ = world;
    world.discord.denyBot(channelId, (1n << 11n) | (1n << 14n));
    const answer = await use('setup', { kind: 'leaderboard', metric: 'DEATHS' });
    expect(textOf(answer)).toContain('**Send Messages** and **Embed Links**');
    expect(textOf(answer)).not.toContain('View Channel');
    world.discord.denyBot(channelId, 0n);
    expect(textOf(await use('posts'))).toContain('has no posts or alerts yet');
  });

  it('can be placed in a thread that was archived at the start and allows no messages around it', async () => {
    const threadId = '1100000000000000290';
    const { world } = await start({ listServers: () => ({ servers: [data.server()] }) });
    await using _ = world;
    world.discord.addThread(channelId, { id: threadId, name: 'the status' });
    world.discord.setThread(threadId, { archived: true });
    world.discord.denyBot(channelId, 1n << 11n);
    await world.restart();
    const given = { commandName: 'outpost setup', options: { kind: 'status' } };
    await world.discord.invoke({ guildId, channelId: threadId, user: manager, ...given });
    expect(world.discord.messages(threadId)).toHaveLength(1);
  });

  it('says that a chart is left out while the bot may not attach files', async () => {
    const { world, use } = await start();
    await using _ = world;
    world.discord.denyBot(channelId, 1n << 15n);
    const placed = await choose(world, await use('setup', { kind: 'status' }), ['northwood-1']);
    expect(textOf(placed)).toContain('There is no chart');
    const without = await choose(world, await use('setup', { kind: 'status', chart: 'none' }), [
      'northwood-1',
    ]);
    expect(textOf(without)).not.toContain('There is no chart');
    expect(shown(world)).toHaveLength(2);
  });

  it('keeps nothing that Discord would not show', async () => {
    const { world, use } = await start();
    await using _ = world;
    const refusal = { status: 403, body: { code: 50013, message: 'no' } };
    const end = world.discord.fail({ method: 'POST', path: /\/messages$/ }, refusal, Infinity);
    const answer = await use('setup', { kind: 'leaderboard', metric: 'DEATHS' });
    expect(textOf(answer)).toContain("can't send messages with embeds");
    end();
    await world.bot.jobs?.run();
    expect(shown(world)).toEqual([]);
    expect(textOf(await use('posts'))).toContain('has no posts or alerts yet');
  });

  it('asks for the metric that a leaderboard needs', async () => {
    const { world, use } = await start();
    await using _ = world;
    expect(textOf(await use('setup', { kind: 'leaderboard' }))).toContain('needs a `metric`');
    expect(shown(world)).toEqual([]);
  });

  it('is refused to who may not manage the guild, in its menus too', async () => {
    const { world, use } = await start();
    await using _ = world;
    const asked = await use('setup', { kind: 'status' });
    const stranger = { ...manager, permissions: 0n };
    const pressed = await choose(world, asked, ['northwood-1'], stranger);
    expect(shown(world)).toEqual([]);
    expect([pressed.message, ...pressed.followUps].at(-1)?.embeds[0]?.description).toContain(
      'permission to manage',
    );
    const hidden = world.discord.invoke({
      guildId,
      channelId,
      user: member,
      commandName: 'outpost posts',
      evenIfHidden: true,
    });
    expect(textOf(await hidden)).toContain('permission to manage');
  });

  it.each([
    ['a server that is gone', 'status:24h::::::0', ['gone'], 'no longer'],
    ['a kind that never was', 'secret:24h::::::0', ['northwood-1'], ''],
    ['too much of it', 'status:24h:::::de:0:x', ['northwood-1'], ''],
    ['no choice at all', 'status:24h::::::0', [], 'no longer'],
  ])('answers a forged menu readably: %s', async (_what, args, values, text) => {
    const { world, use } = await start();
    await using _ = world;
    const asked = await use('setup', { kind: 'status' });
    const [version, command, action, owner] = menuOf(asked)!.custom_id.split(':');
    const customId = [version, command, action, owner, args].join(':');
    const answer = await world.discord.select({
      messageId: asked.message!.id,
      customId,
      user: manager,
      values,
      forged: true,
    });
    const last = [answer.message, ...answer.followUps].at(-1);
    expect(last?.embeds[0]?.description).toBeTruthy();
    expect(last?.embeds[0]?.description).toContain(text);
    expect(shown(world)).toEqual([]);
  });
});

describe('/outpost alert', () => {
  it('has the channel told, with its role', async () => {
    const handlers: Partial<Handlers> = { listServers: () => ({ servers: [data.server({ players: 30 })] }) };
    const { world, use } = await start(handlers);
    await using _ = world;
    const answer = await use('alert', { players: 40, role: roleId });
    expect(textOf(answer)).toContain('when at least 40 players are online');
    await world.bot.jobs?.run();
    handlers.listServers = () => ({ servers: [data.server({ players: 41 })] });
    await world.bot.jobs?.run();
    expect(shown(world).map(({ content }) => content)).toEqual([
      `<@&${roleId}> 👥 41 players on Northwood | Chernarus`,
    ]);
  });

  it('says how its role is notified only where that is not the case', async () => {
    const { world, use } = await start();
    await using _ = world;
    const mutedId = '1100000000000000702';
    world.discord.setRole(guildId, mutedId, { name: 'Quiet', mentionable: false });
    for (const [role, isMuted] of [
      [roleId, false],
      [mutedId, true],
    ] as const) {
      const text = textOf(await choose(world, await use('alert', { down: true, role }), ['northwood-1']));
      expect(text).toContain('Alerts mention the role you chose');
      expect(text.includes('allow anyone to mention the role')).toBe(isMuted);
    }
  });

  it('waits as long as it is asked to before it calls a server down', async () => {
    const { use, world } = await start({ listServers: () => ({ servers: [data.server()] }) });
    await using _ = world;
    expect(textOf(await use('alert', { after: 10 }))).toContain('down for 10 minutes');
    expect(textOf(await use('alert', { after: 10, down: false }))).toContain('Choose at least one alert');
  });

  it('says of which servers no restart is scheduled', async () => {
    const schedules = [data.schedule({ kind: 'RESTART', recurrence: 'INTERVAL', intervalMinutes: 240 })];
    const listSchedules: Handlers['listSchedules'] = ({ serverId }) => {
      return { schedules: serverId === 'northwood-1' ? schedules : [] };
    };
    const { world, use } = await start({ listSchedules });
    await using _ = world;
    const both = ['northwood-1', 'northwood-2'];
    const scheduled = 'No restart is scheduled for **Northwood | Livonia**.';
    expect(textOf(await choose(world, await use('alert', { restart: 10 }), both))).toContain(scheduled);
    expect(textOf(await choose(world, await use('alert', { down: true }), both))).not.toContain('scheduled');
  });

  it('wants to know about what, and never mentions everyone', async () => {
    const { world, use } = await start();
    await using _ = world;
    expect(textOf(await use('alert', {}))).toContain('Choose at least one alert');
    expect(textOf(await use('alert', { down: true, role: guildId }))).toContain("can't be mentioned");
  });

  it('turns on nothing that the channel already has, and lists by what alerts differ', async () => {
    const { world, use } = await start();
    await using _ = world;
    await choose(world, await use('alert', { down: true, restart: 60 }), ['northwood-1', 'northwood-2']);
    const again = await choose(world, await use('alert', { down: true, restart: 15 }), ['northwood-2']);
    expect(textOf(again)).toContain('already gets these alerts about **Northwood | Livonia**');
    expect(textOf(again)).toContain('- when a server has been down for 5 minutes');
    expect(textOf(again)).not.toContain('restart');
    expect(textOf(again)).toContain('/outpost posts');
    expect(menuOf(await use('posts'))?.options).toHaveLength(1);
    // Another moment, and other people.
    await choose(world, await use('alert', { restart: 15 }), ['northwood-1']);
    await choose(world, await use('alert', { down: true, role: roleId }), ['northwood-1']);
    const listed = await use('posts');
    expect(textOf(listed).match(/^-# .*$/gm)).toEqual([
      '-# active · when a server has been down for 5 minutes, and when it is back · 60 minutes before a restart',
      '-# active · 15 minutes before a restart',
      `-# active · when a server has been down for 5 minutes, and when it is back · <@&${roleId}>`,
    ]);
    expect(menuOf(listed)?.options[1]?.description).toBe('#general · 15 minutes before a restart');
  });

  it('turns on nothing that the config has for the channel', async () => {
    const alerts = [{ channelId, servers: ['northwood-1'], down: { afterMinutes: 10 } }];
    const config = { guildIds: [], presence: false, statusPosts: [], alerts };
    const { world, use } = await start({}, { bot: { config } });
    await using _ = world;
    const asked = await choose(world, await use('alert', { down: true }), ['northwood-1']);
    expect(textOf(asked)).toContain('already gets these alerts about **Northwood | Chernarus**');
    expect(textOf(asked)).toContain('down for 10 minutes');
  });
});

describe('/outpost setup for a kill feed', () => {
  const feed = { kind: 'feed', deaths: 'all', delay: 1, positions: true };

  it('posts what happens from then on, and stands after a restart', async () => {
    const deaths = createDeaths();
    const { world, use, advance } = await start({}, { bot: { community: { deaths } } });
    await using _ = world;
    const placed = await choose(world, await use('setup', feed), ['northwood-1']);
    expect(textOf(placed)).toMatch(/Kills on \*\*Northwood.*\nOther deaths.*\nEach is posted 1 minute later/);
    expect(textOf(placed)).toContain('⚠️ With a delay of less than five minutes');
    const again = await choose(world, await use('setup', { ...feed, delay: 5 }), ['northwood-1']);
    expect(textOf(again)).toContain('already has “Kill feed of **Northwood');
    expect(textOf(again)).toContain('/outpost posts');
    await world.bot.jobs?.run();
    const at = data.now;
    deaths.all.push({ ...aDeath, id: 1, at, storedAt: at, cause: 'infected', killer: null });
    await world.restart();
    await world.bot.jobs?.run();
    expect(shown(world)).toEqual([]);
    advance(1);
    await world.bot.jobs?.run();
    expect(shown(world)[0]?.embeds[0]?.description).toContain('**Bert** was killed by infected');
    const listed = await use('posts');
    expect(textOf(listed)).toContain('**Kill feed of Northwood');
    const [{ value } = { value: '' }] = menuOf(listed)!.options;
    await choose(world, listed, [value]);
    deaths.all.push({ ...aDeath, id: 2, at, storedAt: at });
    await world.bot.jobs?.run();
    expect(shown(world)).toHaveLength(1);
    expect(await world.keyv.get(`feed:placed:${value}`)).toBeUndefined();
  });

  it('offers servers whose logs are followed, and no others', async () => {
    const logged = new Set(['northwood-2']);
    const community = { deaths: createDeaths(), hasLogs: (id: string) => logged.has(id) };
    const { world, use } = await start({}, { bot: { community } });
    await using _ = world;
    expect(textOf(await use('setup', feed))).toContain('Kills on **Northwood | Livonia** are posted');
    logged.clear();
    expect(textOf(await use('setup', feed))).toContain('needs the logs of the game servers');
  });

  it('needs the logs, which a bot on a service elsewhere does not have', async () => {
    const { world, use } = await start({}, { bot: { community: noCommunity } });
    await using _ = world;
    expect(textOf(await use('setup', feed))).toContain('needs the logs of the game servers');
  });
});

describe('/outpost posts', () => {
  it('says of alerts that the bot lacks permissions before one is due', async () => {
    const { world, use } = await start();
    await using _ = world;
    await choose(world, await use('alert', { down: true }), ['northwood-1']);
    for (const [denied, text] of [
      [PermissionFlagsBits.SendMessages, "⚠️ The bot can't send messages"],
      [PermissionFlagsBits.ViewChannel, "⚠️ The bot can't see the channel"],
      [0n, 'active'],
    ] as const) {
      world.discord.denyBot(channelId, denied);
      expect(textOf(await use('posts'))).toContain(`-# ${text}`);
    }
  });

  it('stays readable with posts of many servers with long names', async () => {
    const servers = Array.from({ length: 34 }, (_, index) =>
      data.server({ id: `s-${index}`, name: `${index} | ${'a very long name of a server '.repeat(3)}` }),
    );
    const post = {
      channelId,
      cron: '0 0 1 1 *',
      servers: servers.map(({ id }) => id),
      chart: 'none' as const,
    };
    const config = { guildIds: [], presence: false, statusPosts: Array.from({ length: 7 }, () => post) };
    const { world, use } = await start({ listServers: () => ({ servers }) }, { bot: { config } });
    await using _ = world;
    const text = textOf(await use('posts'));
    expect(text.match(/and 31 more/g)).toHaveLength(7);
    expect(text).toContain(`<#${channelId}>`);
    expect(text).not.toMatch(/\n…and/);
  });

  it('are as many as one menu can take away again', async () => {
    const { world, use } = await start({ listServers: () => ({ servers: [data.server()] }) });
    await using _ = world;
    for (let players = 1; players <= 25; players += 1) await use('alert', { players });
    expect(textOf(await use('alert', { players: 26 }))).toContain('reached its limit of 25');
    expect(menuOf(await use('posts'))?.options).toHaveLength(25);
  });

  it('lists posts of members and of the config, and removes those of members with their messages', async () => {
    const config = {
      guildIds: [],
      presence: false,
      statusPosts: [{ channelId, cron: '0 0 1 1 *', servers: ['northwood-2'] }],
    };
    const { world, use } = await start({}, { bot: { config } });
    await using _ = world;
    await world.bot.jobs?.run();
    await use('setup', { kind: 'leaderboard', metric: 'DEATHS' });
    await choose(world, await use('alert', { down: true }), ['northwood-1', 'northwood-2']);
    const list = await use('posts');
    expect(textOf(list)).toContain('Leaderboard: Deaths');
    expect(textOf(list)).toContain('Alerts for Northwood | Chernarus and Northwood | Livonia');
    expect(textOf(list)).toMatch(/Status of Northwood \| Livonia.*\n.*set in the config/);
    expect(menuOf(list)?.options).toHaveLength(2);
    expect(shown(world)).toHaveLength(2);

    const leaderboard = menuOf(list)!.options.find(({ label }) => label.startsWith('Leaderboard'))!;
    const after = await choose(world, list, [leaderboard.value]);
    expect(textOf(after)).toContain('Removed: Leaderboard: Deaths');
    expect(shown(world)).toHaveLength(1);
    expect(menuOf(after)?.options).toHaveLength(1);
    await world.restart();
    await world.bot.jobs?.run();
    expect(shown(world)).toHaveLength(1);
  });

  it('stay with their messages where Discord does not answer, and can be removed later', async () => {
    const { world, use } = await start();
    await using _ = world;
    await use('setup', { kind: 'leaderboard', metric: 'DEATHS' });
    const list = await use('posts');
    const [option] = menuOf(list)!.options;
    const end = world.discord.fail({ method: 'DELETE', path: /\/messages\// }, { status: 503 }, Infinity);
    const kept = await choose(world, list, [option!.value]);
    expect([kept.message, ...kept.followUps].at(-1)?.embeds[0]?.description).toContain("couldn't be saved");
    expect(shown(world)).toHaveLength(1);
    end();
    expect(menuOf(await use('posts'))?.options).toHaveLength(1);
    await choose(world, await use('posts'), [option!.value]);
    expect(shown(world)).toEqual([]);
    expect(textOf(await use('posts'))).toContain('has no posts or alerts yet');
  });

  it('vanish also before they had their turn after a restart', async () => {
    const { world, use } = await start();
    await using _ = world;
    await use('setup', { kind: 'leaderboard', metric: 'PLAYER_KILLS' });
    await use('setup', { kind: 'leaderboard', metric: 'DEATHS' });
    // Half a minute lies between the turns of two posts.
    await world.restart({ timing: { staggerMs: 60_000 } });
    const list = await use('posts');
    await choose(world, list, [menuOf(list)!.options[1]!.value]);
    expect(shown(world)).toHaveLength(1);
  });

  it('are told apart by their channels in the menu, and vanish from a thread that is archived, too', async () => {
    const threadId = '1100000000000000290';
    const { world, use } = await start({ listServers: () => ({ servers: [data.server()] }) });
    await using _ = world;
    world.discord.addThread(channelId, { id: threadId, name: 'the status' });
    const setup = { guildId, user: manager, commandName: 'outpost setup', options: { kind: 'status' } };
    for (const at of [channelId, threadId]) await world.discord.invoke({ ...setup, channelId: at });
    const list = await use('posts');
    const options = menuOf(list)!.options.map(({ label, description }) => [label, description]);
    expect(options).toEqual([
      ['Status of Northwood | Chernarus', '#general'],
      ['Status of Northwood | Chernarus', '#the status'],
    ]);
    world.discord.setThread(threadId, { archived: true });
    await choose(world, list, [menuOf(list)!.options[1]!.value]);
    expect(world.discord.messages(threadId)).toEqual([]);
    expect(shown(world)).toHaveLength(1);
  });

  it.each(['while it runs', 'while it is off'])(
    'are forgotten when the bot is thrown out %s',
    async (when) => {
      const { world, use, advance } = await start();
      await using _ = world;
      await use('setup', { kind: 'leaderboard', metric: 'DEATHS' });
      if (when === 'while it is off') await world.bot.stop();
      world.discord.removeGuild(guildId);
      await world.restart();
      const kept = Array.from((world.keyv.store as Map<string, unknown>).keys());
      expect(kept.filter((key) => key.includes('placed:'))).toEqual([]);
      world.discord.addGuild(guilds[0]!);
      await world.restart();
      const sent = () =>
        world.discord.requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/channels/'))
          .length;
      const before = sent();
      advance(60);
      await world.bot.jobs?.run();
      expect(sent()).toBe(before);
      expect(textOf(await use('posts'))).toContain('has no posts or alerts yet');
    },
  );
});
