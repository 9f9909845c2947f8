import { REST, Routes } from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { Invocation, LocalDiscord } from 'local-discord';
import { contractClient, serviceError, type Handlers } from '../commands/contract-client.ts';
import {
  channelId,
  guildId,
  startWorld,
  testProjects,
  token,
  type BotParts,
  until,
  type World,
  type DiscordInput,
} from './discord-world.ts';

const home = { id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] };
const strangerId = '1100000000000000150';
const strangerChannel = '1100000000000000250';
const stranger = { id: strangerId, name: 'Elsewhere', channels: [{ id: strangerChannel, name: 'general' }] };
const inHome = { guildId, channelId };
const inStranger = { guildId: strangerId, channelId: strangerChannel };
const inPrivate = { guildId: null };

/** Who adds a bot to a guild of their own may do everything there. */
const owner = { id: '1100000000000000309', username: 'owner', permissions: (1n << 53n) - 1n };

interface Start {
  config?: DiscordInput;
  guilds?: (typeof home)[];
  handlers?: Partial<Handlers>;
  bot?: BotParts;
}

async function start({ config, guilds = [home, stranger], handlers = {}, bot }: Start = {}) {
  const world = await startWorld({
    client: contractClient(handlers, Date.now),
    discord: { guilds },
    bot: {
      config: { locale: 'en-US', guildIds: [], statusPosts: [], presence: false, ...config },
      timing: { staggerMs: 0 },
      ...bot,
    },
  });
  await world.bot.ready;
  return world;
}

type Place = typeof inHome | typeof inPrivate;

const use = (world: World, place: Place, commandName: string, options: Record<string, string> = {}) =>
  world.discord.invoke({ ...place, user: owner, commandName, options });
const warnings = (world: World) => world.lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
const ownGuild = { guilds: [{ id: guildId }] };

/** The answer is one sentence that only the asker sees. */
function sentence({ message, followUps }: Invocation): string | undefined {
  expect(followUps).toEqual([]);
  expect(message).toMatchObject({ content: '', flags: 64, components: [], embeds: [{}] });
  const { description, color, ...more } = message!.embeds[0]!;
  expect([typeof color, more]).toEqual(['number', {}]);
  return description;
}

describe('outside home guilds', () => {
  const whose = 'This bot belongs to **Northwood** and only answers in their Discord servers.';

  it('answers every command in one sentence, and completes nothing', async () => {
    await using world = await start({ config: ownGuild });
    const asked = {
      status: {},
      top: { metric: 'DEATHS' },
      lookup: { identifier: '76561198000000001' },
      me: {},
      bans: {},
      'outpost posts': {},
      'outpost setup': { kind: 'leaderboard', metric: 'DEATHS' },
    };
    for (const [name, options] of Object.entries(asked))
      expect([name, sentence(await use(world, inStranger, name, options))]).toEqual([name, whose]);
    expect(world.discord.messages(strangerChannel).filter(({ flags }) => flags !== 64)).toEqual([]);
    for (const [commandName, name] of [
      ['status', 'server'],
      ['lookup', 'identifier'],
      ['bans', 'list'],
    ] as const) {
      const focused = { name, value: '' };
      const completing = { user: owner, commandName, focused };
      expect(await world.discord.autocomplete({ ...inHome, ...completing })).not.toEqual([]);
      expect(await world.discord.autocomplete({ ...inStranger, ...completing })).toEqual([]);
    }
  });

  it('answers private messages likewise, where commands are not offered', async () => {
    await using world = await start({ config: ownGuild });
    await expect(use(world, inPrivate, 'status')).rejects.toThrow();
    // Discord may still show what an older version registered.
    const rest = new REST({ api: world.discord.apiUrl.replace(/\/v\d+$/, '') }).setToken(token);
    const { id } = (await rest.get(Routes.currentApplication())) as { id: string };
    const body = [{ name: 'status', description: 'Older', contexts: [0, 1] }];
    await rest.put(Routes.applicationCommands(id), { body });
    expect(sentence(await use(world, inPrivate, 'status'))).toBe(whose);
  });

  it('speaks the language of the member, and links the page', async () => {
    const client = contractClient({}, Date.now);
    const community = { pageUrl: () => 'https://northwood.example' };
    const projects = testProjects(() => client, community);
    await using world = await start({ config: ownGuild, bot: { projects } });
    const asked = { ...inStranger, user: { ...owner, locale: 'de' }, commandName: 'status', options: {} };
    expect(sentence(await world.discord.invoke(asked))).toBe(
      'Dieser Bot gehört zu **[Northwood](https://northwood.example)** und antwortet nur auf den zugehörigen Discord-Servern.',
    );
  });

  it('says so without a name where the service does not tell it', async () => {
    const getProject = () => Promise.reject(serviceError('internal_error'));
    await using world = await start({ config: ownGuild, handlers: { getProject } });
    const anonymous = "This bot only answers in its owner's Discord servers.";
    expect(sentence(await use(world, inStranger, 'status'))).toBe(anonymous);
  });

  it('answers a button of a message from when the guild was a home guild with that, and leaves the message', async () => {
    await using world = await start({ guilds: [home] });
    const before = await use(world, inHome, 'status');
    const components = before.message!.components.flatMap((row) => row.components ?? []);
    const button = components.find(({ type }) => type === 2);
    world.discord.addGuild(stranger);
    await until(() => warnings(world).length > 0);
    const messageId = before.message!.id;
    const pressed = await world.discord.click({
      messageId,
      customId: (button as { custom_id: string }).custom_id,
      user: owner,
    });
    expect(sentence(pressed)).toBe(whose);
    expect(pressed.message?.id).not.toBe(messageId);
  });
});

describe('posts and alerts', () => {
  it('pause while the guild is no home guild', async () => {
    await using world = await start({ guilds: [home] });
    await use(world, inHome, 'outpost setup', { kind: 'leaderboard', metric: 'DEATHS' });
    const title = () => world.discord.messages(channelId)[0]?.embeds[0]?.title;
    expect(title()).toContain('Deaths');
    world.discord.addGuild(stranger);
    await until(() => warnings(world).length > 0);
    await world.bot.jobs?.run();
    expect(title()).toBe('⏸️ Paused');
    await world.restart({
      config: { guildIds: [], guilds: [{ id: guildId }], statusPosts: [], presence: false },
    });
    await world.bot.jobs?.run();
    expect(title()).toContain('Deaths');
    expect(world.discord.messages(channelId)).toHaveLength(1);
  });

  const inChannel = (id: string) => [{ channelId: id, cron: '0 0 1 1 *', servers: ['northwood-1'] }];

  it('of the config are not sent to a guild that it does not name', async () => {
    await using world = await start({ config: { ...ownGuild, statusPosts: inChannel(strangerChannel) } });
    await world.bot.jobs?.run();
    expect(world.discord.messages(strangerChannel)).toEqual([]);
    const errors = world.lines.filter(({ level }) => level === 50).map(({ msg }) => msg);
    expect(errors).toEqual([expect.stringContaining('is not one of')]);
  });

  it('of a config that names no guild go on when somebody adds the bot to another one', async () => {
    await using world = await start({ guilds: [home], config: { statusPosts: inChannel(channelId) } });
    world.discord.addGuild(stranger);
    await until(() => warnings(world).length > 0);
    await world.bot.jobs?.run();
    expect(world.discord.messages(channelId)[0]?.embeds[0]?.title).toContain('Chernarus');
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
    await using world = await start({ config: ownGuild });
    expect(warnings(world)).toEqual([
      `guild "Elsewhere" (${strangerId}) is not one of your Discord servers: there, the bot only says whose it is, and what was placed with /outpost is ` +
        `paused. If it is yours, add this line to discord.guilds in the config: - { id: "${strangerId}" }`,
    ]);
    await rejoin(world.discord);
    expect(warnings(world)).toHaveLength(1);
  });

  it('says what changes when the only guild becomes one of two', async () => {
    await using world = await start({ guilds: [home] });
    expect(warnings(world)).toEqual([]);
    world.discord.addGuild(stranger);
    await until(() => warnings(world).length === 2);
    expect(warnings(world)[0]).toContain(`guild "Northwood" (${guildId}) is not one of your Discord servers`);
    expect(warnings(world)[0]).toContain(`- { id: "${guildId}" }`);
    expect(warnings(world)[1]).toContain(
      `guild "Elsewhere" (${strangerId}) is not one of your Discord servers`,
    );
  });
});
