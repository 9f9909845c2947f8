import { describe, expect, it } from 'vitest';
import type { BotConfig } from '../../src/bot/bot.ts';
import type { Invocation, LocalDiscord } from 'local-discord';
import { labelled } from '../commands/components.ts';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
import * as data from '../embeds/contract-data.ts';
import { channelId, guildId, startWorld, until, type World } from './discord-world.ts';

const home = { id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] };
const strangerId = '1100000000000000150';
const strangerChannel = '1100000000000000250';
const stranger = { id: strangerId, name: 'Elsewhere', channels: [{ id: strangerChannel, name: 'general' }] };
const inHome = { guildId, channelId };
const inStranger = { guildId: strangerId, channelId: strangerChannel };

/** Who adds a bot to a guild of their own may do everything there. */
const owner = { id: '1100000000000000309', username: 'owner', permissions: (1n << 53n) - 1n };
const steamId64 = '76561198000000001';
const guid = 'd41d8cd98f00b204e9800998ecf8427e';

const handlers: Partial<Handlers> = {
  listBanlists: () => ({
    banlists: [
      data.banlist({ id: 'open', name: 'Open list', isPublic: true }),
      data.banlist({ id: 'secret', name: 'Staff notes', isPublic: false }),
    ],
  }),
};

async function start(config: Partial<BotConfig> = {}, guilds: (typeof home)[] = [home, stranger]) {
  const world = await startWorld({
    client: contractClient(handlers, Date.now),
    discord: { guilds },
    bot: {
      config: { locale: 'en-US', guildIds: [], statusPosts: [], presence: false, ...config },
      timing: { staggerMs: 0, channelWindowMs: 0 },
    },
  });
  await world.bot.ready;
  return world;
}

type Place = typeof inHome | { guildId: null };

const use = (world: World, place: Place, commandName: string, options: Record<string, string> = {}) =>
  world.discord.invoke({ ...place, user: owner, commandName, options });
const complete = (world: World, place: Place, commandName: string, name: string) =>
  world.discord.autocomplete({ ...place, user: owner, commandName, focused: { name, value: '' } });
const whole = ({ message, followUps }: Invocation) => JSON.stringify([message, followUps]);
const warnings = (world: World) => world.lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
const menuOf = ({ message }: Invocation) =>
  message?.components.flatMap((row) => row.components ?? []).find(({ type }) => type === 3);

describe('ban lists that are not public', () => {
  it('are read in a home guild, and not in another one, whoever asks', async () => {
    await using world = await start({ guilds: [{ id: guildId }] });
    expect(whole(await use(world, inHome, 'bans'))).toContain('Staff notes');
    expect(await complete(world, inHome, 'bans', 'list')).toHaveLength(2);
    expect(await complete(world, inHome, 'bans', 'identifier')).toContainEqual({
      name: 'Bert',
      value: steamId64,
    });

    // The only public list is shown at once.
    const elsewhere = await use(world, inStranger, 'bans');
    expect(whole(elsewhere)).toContain('Open list');
    expect(whole(elsewhere)).not.toContain('Staff notes');
    expect(await complete(world, inStranger, 'bans', 'list')).toEqual([{ name: 'Open list', value: 'open' }]);
    // Its values are identifiers.
    expect(await complete(world, inStranger, 'bans', 'identifier')).toEqual([]);
    for (const list of ['secret', 'Staff notes', 'staff']) {
      const named = await use(world, inStranger, 'bans', { list });
      expect(named.message?.embeds[0]?.title).toContain('Ban list not found');
      expect(named.message?.embeds[0]?.fields ?? []).toEqual([]);
    }
    const checked = await use(world, inStranger, 'bans', { identifier: steamId64 });
    expect(whole(checked)).toContain('Open list');
    expect(whole(checked)).not.toContain('Staff notes');
    expect(whole(await use(world, inStranger, 'lookup', { identifier: steamId64 }))).not.toContain('Staff');
  });

  it('stay closed to a menu of a message from when the guild was a home guild', async () => {
    await using world = await start({}, [home]);
    const before = await use(world, inHome, 'bans');
    const { custom_id: customId } = menuOf(before) as { custom_id: string };
    world.discord.addGuild(stranger);
    await until(() => warnings(world).length > 0);
    const messageId = before.message!.id;
    const pressed = await world.discord.select({ messageId, customId, user: owner, values: ['secret'] });
    expect(whole(pressed)).not.toContain('Staff notes');
  });
});

describe('/lookup elsewhere', () => {
  it('shows figures, and no identifiers and earlier names', async () => {
    await using world = await start({ guilds: [{ id: guildId }] });
    const lookup = await use(world, inHome, 'lookup', { identifier: steamId64 });
    const { customId } = labelled(lookup.message as never, 'IDs, names and bans');
    const pressed = { messageId: lookup.message!.id, customId, user: owner };
    const atHome = whole(await world.discord.click(pressed));
    for (const text of [steamId64, guid, 'Old Name']) expect(atHome).toContain(text);
    for (const place of [inStranger, { guildId: null }] as const) {
      const found = await world.discord.autocomplete({
        ...place,
        user: owner,
        commandName: 'lookup',
        focused: { name: 'identifier', value: 'ann' },
      });
      expect(found).toEqual([{ name: 'Anna', value: 'Anna' }]);
      const answer = await use(world, place, 'lookup', { identifier: 'Anna' });
      expect(whole(answer)).toContain('1,234');
      for (const text of ['765611980', guid, 'Old Name']) expect(whole(answer)).not.toContain(text);
    }
  });

  it('distinguishes players with the same name without showing their identifiers', async () => {
    handlers.listLeaderboards = () => ({ leaderboards: [data.leaderboard(['Twin', 'Twin'])] });
    await using world = await start({ guilds: [{ id: guildId }] });
    const atHome = await use(world, inHome, 'lookup', { identifier: 'Twin' });
    expect(menuOf(atHome)).toBeDefined();
    const elsewhere = await use(world, inStranger, 'lookup', { identifier: 'Twin' });
    expect(elsewhere.message?.embeds[0]?.description).toContain('Twin');
    expect(elsewhere.message?.components).toEqual([]);
    expect(whole(elsewhere)).not.toMatch(/…\d{4}/);
    delete handlers.listLeaderboards;
  });

  it('takes a SteamID64, and no identifier that only moderators have', async () => {
    handlers.getPlayer = () => ({ player: data.player({ name: 'Regular Joe' }) });
    handlers.listBans = () => ({ bans: [] });
    await using world = await start({ guilds: [{ id: guildId }] });
    const own = await use(world, inStranger, 'lookup', { identifier: steamId64 });
    expect(own.message?.embeds[0]?.title).toBe('👤 Regular Joe');
    expect(JSON.stringify(own.message?.embeds)).not.toContain(guid);
    for (const identifier of [guid, 'a'.repeat(24)]) {
      const refused = await use(world, inStranger, 'lookup', { identifier });
      expect(refused.message?.embeds[0]?.description).toContain('by SteamID64 or by their name');
      const checked = await use(world, inStranger, 'bans', { identifier });
      expect(whole(checked)).not.toContain('Regular Joe');
    }
    delete handlers.getPlayer;
    delete handlers.listBans;
  });
});

describe('/outpost elsewhere', () => {
  it('places nothing', async () => {
    await using world = await start({ guilds: [{ id: guildId }] });
    const setup = { kind: 'leaderboard', metric: 'DEATHS' };
    expect(whole(await use(world, inStranger, 'outpost setup', setup))).toContain('discord.guilds');
    const alert = { ...inStranger, user: owner, commandName: 'outpost alert', options: { down: true } };
    expect(whole(await world.discord.invoke(alert))).toContain('discord.guilds');
    expect(world.discord.messages(strangerChannel)).toEqual([]);
    await use(world, inHome, 'outpost setup', setup);
    expect(world.discord.messages(channelId)).toHaveLength(1);
  });

  it('pauses what was placed while the guild was a home guild, until it is one again', async () => {
    await using world = await start({}, [home]);
    await use(world, inHome, 'outpost setup', { kind: 'leaderboard', metric: 'DEATHS' });
    const title = () => world.discord.messages(channelId)[0]?.embeds[0]?.title;
    expect(title()).toContain('Player kills');
    world.discord.addGuild(stranger);
    await until(() => warnings(world).length > 0);
    await world.bot.jobs?.posts.run();
    expect(title()).toBe('⏸️ Paused');
    expect(whole(await use(world, inHome, 'outpost posts'))).toContain("hasn't approved this Discord server");
    await world.restart({
      config: { guildIds: [], guilds: [{ id: guildId }], statusPosts: [], presence: false },
    });
    await world.bot.jobs?.posts.run();
    expect(title()).toContain('Player kills');
    expect(world.discord.messages(channelId)).toHaveLength(1);
  });

  it('sends no alert where the guild is no home guild any more', async () => {
    const servers = { status: 'ONLINE' as const, players: 10 };
    handlers.listServers = () => ({ servers: [data.server(servers)] });
    await using world = await start({}, [home]);
    await world.discord.invoke({
      ...inHome,
      user: owner,
      commandName: 'outpost alert',
      options: { players: 30 },
    });
    await world.bot.jobs?.checks.run();
    world.discord.addGuild(stranger);
    await until(() => warnings(world).length > 0);
    servers.players = 40;
    await world.bot.jobs?.checks.run();
    expect(world.discord.messages(channelId)).toEqual([]);
    delete handlers.listServers;
  });

  it('leaves alone what the config places, wherever that is', async () => {
    const statusPosts = [{ channelId: strangerChannel, cron: '0 0 1 1 *', servers: ['northwood-1'] }];
    await using world = await start({ guilds: [{ id: guildId }], statusPosts });
    await world.bot.jobs?.posts.run();
    expect(world.discord.messages(strangerChannel)[0]?.embeds[0]?.title).toContain('Chernarus');
  });
});

describe('the log', () => {
  const rejoin = async (discord: LocalDiscord) => {
    discord.removeGuild(strangerId);
    await new Promise((resolve) => setTimeout(resolve, 50));
    discord.addGuild(stranger);
    await new Promise((resolve) => setTimeout(resolve, 50));
  };

  it('names a guild that is no home guild once, with the line that would make it one', async () => {
    await using world = await start({ guilds: [{ id: guildId }] });
    expect(warnings(world)).toEqual([
      `guild "Elsewhere" (${strangerId}) is not a home guild: the bot shows only what is public there. ` +
        `If it is yours, add this line to discord.guilds in the config: - { id: "${strangerId}" }`,
    ]);
    await rejoin(world.discord);
    expect(warnings(world)).toHaveLength(1);
  });

  it('says what changes when the only guild becomes one of two', async () => {
    await using world = await start({}, [home]);
    expect(warnings(world)).toEqual([]);
    world.discord.addGuild(stranger);
    await until(() => warnings(world).length === 2);
    expect(warnings(world)[0]).toContain(`guild "Northwood" (${guildId}) is no longer a home guild`);
    expect(warnings(world)[0]).toContain(`- { id: "${guildId}" }`);
    expect(warnings(world)[1]).toContain(`guild "Elsewhere" (${strangerId}) is not a home guild`);
  });
});
