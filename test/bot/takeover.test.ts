import { deflateRawSync } from 'node:zlib';
import { Keyv } from 'keyv';
import { afterEach, describe, expect, it } from 'vitest';
import { partOf } from '../../src/bot/shards/session-store.ts';
import { channelId, guildId, startWorld, type World, type WorldOptions } from './discord-world.ts';
import { ask, expectAnsweredOnce } from './faults.ts';

const otherGuild = '1100000000000000150';
const otherChannel = '1100000000000000250';
const guilds = [
  { id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] },
  { id: otherGuild, name: 'Elsewhere', channels: [{ id: otherChannel, name: 'general' }] },
];

let world: World;
let sessions: Keyv;
afterEach(async () => await world[Symbol.asyncDispose]());

async function start(options: WorldOptions = {}): Promise<void> {
  sessions = new Keyv();
  const timing = { recordMs: 10, ...options.bot?.timing };
  world = await startWorld({
    ...options,
    discord: { guilds, ...options.discord },
    bot: { ...options.bot, sessions, timing },
  });
  expect(await world.bot.ready).toBe('ready');
}

type Stored = Record<string, unknown>;
const head = async (): Promise<Stored> => (await sessions.get('session:0')) as Stored;
const changeHead = async (change: Stored): Promise<void> =>
  void (await sessions.set('session:0', { ...(await head()), ...change }));
const logged = (text: string): boolean => world.lines.some(({ msg }) => msg.includes(text));

/** Everything works, in each guild of which the bot should know. */
async function expectServing(guildCount = 2): Promise<void> {
  expectAnsweredOnce(world.discord, await ask(world.discord, 'schedule'));
  expect(world.bot.shards()).toMatchObject([{ shard: 0, state: 'connected', guilds: guildCount }]);
  expect(world.discord.gateway.connected).toBe(1);
}

describe('a restart goes on with the session', () => {
  it('without a login, and answers what was asked in between', async () => {
    await start();
    await world.bot.stop();
    expect(world.discord.gateway.connected).toBe(0);
    const between = ask(world.discord, 'schedule');
    await world.restart();
    expectAnsweredOnce(world.discord, await between);
    await expectServing();
    expect(world.discord.gateway).toMatchObject({ identifies: 1, resumes: 1 });
    expect(world.bot.shards()).toMatchObject([{ loggedIn: 0, takenOver: 1 }]);
  });

  it.each(['get', 'set'] as const)('although the store fails twice (%s)', async (method) => {
    await start();
    await world.bot.stop();
    const between = ask(world.discord, 'schedule');
    const original = sessions[method].bind(sessions) as (key: string, ...rest: unknown[]) => Promise<unknown>;
    let failures = 0;
    const failing = async (key: string, ...rest: unknown[]): Promise<unknown> => {
      if (key !== 'session:0' || failures === 2) return await original(key, ...rest);
      failures += 1;
      throw new Error('canceling statement due to statement timeout');
    };
    Object.assign(sessions, { [method]: failing });
    await world.restart();
    expectAnsweredOnce(world.discord, await between);
    expect(failures).toBe(2);
    expect(world.discord.gateway).toMatchObject({ identifies: 1, resumes: 1 });
  });

  it('again and again', async () => {
    await start();
    for (let i = 0; i < 6; i += 1) await world.restart();
    await expectServing();
    expect(world.discord.gateway).toMatchObject({ identifies: 1, resumes: 6 });
  });

  it('and knows of guilds that the bot joined and left in between', async () => {
    await start();
    await world.bot.stop();
    world.discord.removeGuild(otherGuild);
    for (const id of ['1100000000000000160', '1100000000000000170'])
      world.discord.addGuild({ id, name: 'New', channels: [] });
    await world.restart();
    await expectServing(3);
    expect(world.discord.gateway.identifies).toBe(1);
  });

  it('and knows what the bot may do in every channel and thread', async () => {
    const thread = '1100000000000000260';
    await start({
      prepare: (discord) => {
        discord.denyBot(channelId, 1n << 14n);
        discord.addThread(otherChannel, { id: thread, name: 'thread' });
      },
    });
    // The last changes come as events, not with the guild.
    for (const id of [guildId, otherGuild]) world.discord.grantBotRole(id, 1n << 4n);
    world.discord.setThread(thread, { locked: true });
    await ask(world.discord, 'schedule');
    await world.bot.stop();
    const before = await states();
    await world.restart();
    await expectServing();
    // Has every part written anew, from what discord.js was told.
    for (const id of [guildId, otherGuild]) world.discord.grantBotRole(id, 1n << 4n);
    await ask(world.discord, 'schedule');
    await world.bot.stop();
    expect(await states()).toEqual(before);
    expect(JSON.stringify(before)).toContain('"locked":true');
  });

  it('although an outage of a guild lasts, which then becomes available', async () => {
    await start();
    world.discord.setGuildAvailable(otherGuild, false);
    await world.restart();
    await expectServing();
    world.discord.setGuildAvailable(otherGuild, true);
    await world.restart();
    const state = (await states()).find(({ id }) => id === otherGuild);
    expect(state).toMatchObject({ unavailable: false, name: 'Elsewhere' });
    expect(world.discord.gateway.identifies).toBe(1);
  });

  it('also when the gateway is away at first, and when no logins are left', async () => {
    await start({ discord: { sessionStarts: 1 }, bot: { timing: { reconnectMs: 10 } } });
    await world.bot.stop();
    world.discord.gateway.setAvailable(false);
    const restarted = world.restart();
    await expect
      .poll(() => logged('connection to Discord lost') || logged('connection to Discord failed'))
      .toBe(true);
    world.discord.gateway.setAvailable(true);
    await restarted;
    await expectServing();
    expect(world.discord.gateway).toMatchObject({ logins: 1, resumes: 1 });
  });
});

/** The guilds as they are stored. */
async function states(): Promise<Stored[]> {
  const { inflateRawSync } = await import('node:zlib');
  const all: Stored[] = [];
  for (let part = 0; part < 16; part += 1) {
    const stored = (await sessions.get(`guilds:0:${part}`)) as { guilds: string } | undefined;
    if (stored === undefined) continue;
    all.push(...(JSON.parse(inflateRawSync(Buffer.from(stored.guilds, 'base64')).toString()) as Stored[]));
  }
  return all;
}

async function changePart(change: (guilds: Stored[]) => Stored[]): Promise<void> {
  const key = `guilds:0:${partOf(guildId, 1)}`;
  const stored = (await sessions.get(key)) as Stored;
  const own = (await states()).filter(({ id }) => partOf(String(id), 1) === partOf(guildId, 1));
  const text = deflateRawSync(JSON.stringify(change(own))).toString('base64');
  await sessions.set(key, { ...stored, guilds: text });
}

describe('logs in anew, and everything works, where the stored session', () => {
  const withoutTrying: [what: string, change: () => Promise<unknown>][] = [
    ['is of another number of shards', () => changeHead({ shardCount: 2 })],
    ['has other intents', () => changeHead({ intents: 1 })],
    ['is of another token', () => changeHead({ tokenMark: '00000000' })],
    ['was stored by another version of discord.js', () => changeHead({ libraries: 'discord.js 14.28.0' })],
    ['is eleven minutes old', () => changeHead({ storedAt: Date.now() - 11 * 60_000 })],
    ['has ended three processes', () => changeHead({ attempts: 3 })],
    ['has another format', () => changeHead({ format: 2 })],
    ['names no gateway', () => changeHead({ resumeUrl: 'file:///etc/passwd' })],
    ['is nonsense', () => sessions.set('session:0', 'nonsense')],
    ['lacks a guild', () => changePart(() => [])],
    ['has a guild of another shape', () => changePart((all) => all.map((guild) => ({ ...guild, name: 7 })))],
    ['has guilds of an earlier session', () => changeHead({ sessionId: 'earlier' })],
    [
      'has damaged guilds',
      () => sessions.set(`guilds:0:${partOf(guildId, 1)}`, { sessionId: 'x', guilds: '///' }),
    ],
  ];
  it.each(withoutTrying)('%s', async (_, change) => {
    await start();
    await world.bot.stop();
    await change();
    await world.restart();
    await expectServing();
    expect(world.discord.gateway).toMatchObject({ identifies: 2, resumes: 0 });
  });

  it('is gone at Discord', async () => {
    await start();
    await world.bot.stop();
    world.discord.gateway.expireSessions();
    world.discord.removeGuild(otherGuild);
    await world.restart();
    // A guild that the bot left while nobody listened is not kept from what was stored.
    await expectServing(1);
    expect(world.discord.gateway).toMatchObject({ identifies: 2, resumes: 0 });
    expect(logged('its session cannot be resumed: Discord no longer has it')).toBe(true);
  });

  it('is ahead of what Discord has sent', async () => {
    await start();
    await world.bot.stop();
    await changeHead({ sequence: 9_999 });
    await world.restart();
    await expectServing();
    expect(world.discord.gateway).toMatchObject({ identifies: 2, resumes: 0 });
  });

  it('makes a discord.js that does not know itself', async () => {
    await start();
    await world.bot.stop();
    await changePart((all) =>
      all.map((guild) => ({
        ...guild,
        members: [
          {
            user: { id: '1100000000000000777', username: 'x', bot: true },
            roles: [],
            joined_at: new Date(0).toISOString(),
            communication_disabled_until: null,
          },
        ],
      })),
    );
    await world.restart();
    await expectServing();
    expect(world.discord.gateway).toMatchObject({ identifies: 2, resumes: 1 });
    expect(logged(`discord.js does not know the bot in guild ${guildId}`)).toBe(true);
  });

  it('cannot be read, or written', async () => {
    await start();
    await world.bot.stop();
    const fail = () => Promise.reject(new Error('disk I/O error'));
    Object.assign(sessions, { get: fail, set: fail, delete: fail });
    await world.restart();
    await expectServing();
    expect(world.discord.gateway.identifies).toBe(2);
  });

  it('was ended because the bot is to go offline', async () => {
    await start();
    await world.bot.stop('end');
    expect(world.discord.gateway.presence()).toBeNull();
    expect(await head()).toBeUndefined();
    await world.restart();
    await expectServing();
    expect(world.discord.gateway).toMatchObject({ identifies: 2, resumes: 0 });
  });
});

describe('what is stored', () => {
  it('follows the session that Discord starts after it ended one', async () => {
    await start();
    const first = (await expect.poll(head).toBeDefined(), (await head())['sessionId']);
    world.discord.gateway.invalidateSessions(false);
    await expect.poll(async () => (await head())?.['sessionId'] ?? first).not.toBe(first);
    await world.restart();
    await expectServing();
    expect(world.discord.gateway).toMatchObject({ identifies: 2, resumes: 1 });
  });

  it('is written a few times, however many events come', async () => {
    await start({ bot: { timing: { recordMs: 600_000 } } });
    await expect.poll(head).toBeDefined();
    let writes = 0;
    const set = sessions.set.bind(sessions);
    sessions.set = (...args: Parameters<typeof set>) => {
      writes += 1;
      return set(...args);
    };
    for (let i = 0; i < 500; i += 1) world.discord.grantBotRole(guildId, BigInt(i));
    await ask(world.discord, 'schedule');
    await world.bot.stop();
    // The part of the guild and the head.
    expect(writes).toBe(2);
    expect(Number((await head())['sequence'])).toBeGreaterThan(500);
  });

  it('holds neither the token nor anything that members wrote', async () => {
    await start();
    await ask(world.discord, 'lookup', { identifier: 'A name that somebody typed' });
    await world.bot.stop();
    const everything = JSON.stringify([await head(), await states()]);
    expect(everything).not.toMatch(/local-test-token|somebody typed|mira/);
    expect(everything).toContain('Northwood');
  });
});
