import { Routes } from 'discord.js';
import { Keyv } from 'keyv';
import { describe, expect, it, vi } from 'vitest';
import type { OperationResponse } from '../../src/api/operations.ts';
import { deployCommands } from '../../src/bot/deploy.ts';
import { createRest } from '../../src/bot/rest.ts';
import { commandDefinitions } from '../../src/commands/index.ts';
import { contractClient } from '../commands/contract-client.ts';
import { channelId, guildId, held, member, startWorld, token, until, type World } from './discord-world.ts';

describe('a start', () => {
  it('registers the commands once, and not again when nothing changed', async () => {
    const keyv = new Keyv();
    await using world = await startWorld({ bot: { keyv } });
    expect(await world.bot.ready).toBe('ready');
    expect(world.discord.commands().map((command) => command.name)).toEqual(
      commandDefinitions.map((definition) => definition.name),
    );
    const set = vi.spyOn(keyv, 'set');
    await world.restart();
    expect(set.mock.calls.filter(([key]) => key.startsWith('registered:'))).toEqual([]);
    const puts = world.discord.requests.filter((request) => request.method === 'PUT');
    expect(puts).toHaveLength(1);
  });

  it('logs one guild and one post as one', async () => {
    const statusPosts = [{ channelId, cron: '0 * * * *', servers: ['northwood-1'] }];
    await using world = await startWorld({ bot: { config: { guildIds: [], statusPosts, presence: false } } });
    await world.bot.ready;
    const said = world.lines.map(({ msg }) => msg);
    expect(said).toContainEqual(expect.stringMatching(/ in 1 guild$/));
    expect(said).toContainEqual('running 1 job of the config in channels');
  });

  it('registers in the named guilds only', async () => {
    const config = { locale: 'en-US', guildIds: [guildId], statusPosts: [] };
    await using world = await startWorld({ bot: { config } });
    await world.bot.ready;
    expect(world.discord.commands()).toEqual([]);
    expect(world.discord.commands(guildId)).toHaveLength(commandDefinitions.length);
    await world.restart();
    expect(world.discord.requests.filter((request) => request.method === 'PUT')).toHaveLength(1);
  });

  it('registers in a named guild as soon as the bot is invited there', async () => {
    const later = '1100000000000000900';
    const config = { guildIds: [guildId, later], statusPosts: [], presence: false };
    await using world = await startWorld({ bot: { config } });
    await world.bot.ready;
    expect(world.discord.commands(guildId)).toHaveLength(commandDefinitions.length);
    expect(world.lines.filter((line) => line.level >= 40).map((line) => line.msg)).toEqual([
      `no commands in guild ${later}: the bot is not in it. They are registered once it joins.`,
    ]);
    world.discord.addGuild({ id: later, name: 'Later', channels: [] });
    await until(() => world.discord.commands(later).length === commandDefinitions.length);
  });

  it('leaves every command only once when the guilds of the config change', async () => {
    await using world = await startWorld();
    await world.bot.ready;
    const of = (...guildIds: string[]) => ({ config: { locale: 'en-US', guildIds, statusPosts: [] } });
    const registered = () => [world.discord.commands().length, world.discord.commands(guildId).length];
    expect(registered()).toEqual([commandDefinitions.length, 0]);
    await world.restart(of(guildId));
    expect(registered()).toEqual([0, commandDefinitions.length]);
    await world.restart(of());
    expect(registered()).toEqual([commandDefinitions.length, 0]);
  });

  it('with a token that Discord does not know ends in one clear line', async () => {
    await using world = await startWorld({ bot: { token: 'not-the-token' } });
    expect(await world.bot.ready).toBe('refused');
    expect(world.lines.filter((line) => line.level >= 40).map((line) => line.msg)).toEqual([
      'Discord refuses the bot: it does not know the token; check DISCORD_TOKEN. The bot is off; the service keeps running.',
    ]);
  });

  it.each([
    [4004, 'the token'],
    [4014, 'the intents'],
  ])('that the gateway refuses with %i ends in one clear line', async (code, why) => {
    await using world = await startWorld({ prepare: (discord) => discord.gateway.refuseIdentify(code) });
    expect(await world.bot.ready).toBe('refused');
    const errors = world.lines.filter((line) => line.level >= 40);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.msg).toContain(why);
  });

  it.each([
    [{ status: 403 }, /403/],
    [{ status: 200, body: { welcome: 'to our network' } }, /proxy or firewall/],
  ])('waits for a Discord that cannot be reached (%j), and says so once', async (answer, reason) => {
    await using world = await startWorld({
      bot: { timing: { reconnectMs: 10 } },
      prepare: (discord) => discord.fail({ path: '/gateway/bot' }, answer, 3),
    });
    expect(await world.bot.ready).toBe('ready');
    expect(world.lines.filter((line) => line.level === 40)).toEqual([
      expect.objectContaining({
        msg: 'could not reach Discord; the bot keeps trying and the service keeps running',
        error: expect.objectContaining({ message: expect.stringMatching(reason) }),
      }),
    ]);
  });

  it('can be stopped while Discord cannot be reached', async () => {
    await using world = await startWorld({
      bot: { apiUrl: 'http://127.0.0.1:9/api', timing: { reconnectMs: 10 } },
    });
    await until(() => world.lines.some((line) => line.msg.includes('could not reach Discord')));
    await world.bot.stop();
    expect(await world.bot.ready).toBe('stopped');
  });
});

describe('commands that Discord does not take at once', () => {
  const put = { method: 'PUT', path: /\/commands$/ };
  const problems = (world: World) => world.lines.filter(({ level }) => level >= 40).map(({ msg }) => msg);
  const timing = { registerRetryMs: 10, staggerMs: 0 };

  it('come as soon as Discord is in order again, and the log says what was wrong', async () => {
    await using world = await startWorld({
      bot: { timing },
      // discord.js gives up after four.
      prepare: (discord) => discord.fail(put, { status: 500 }, 14),
    });
    await until(() => world.discord.commands().length === commandDefinitions.length);
    await until(() => world.lines.some(({ msg }) => msg === 'all commands are registered'));
    expect(problems(world)).toEqual([
      'could not register commands: Discord answered 500 Internal Server Error',
    ]);
  });

  it('come once the time is over that Discord asked to wait', async () => {
    const body = { message: 'You are being rate limited.', retry_after: 5.2, global: false, code: 0 };
    const headers = { 'retry-after': '6', 'x-ratelimit-reset-after': '5.2', 'x-ratelimit-scope': 'user' };
    await using world = await startWorld({
      bot: { timing },
      prepare: (discord) => discord.fail(put, { status: 429, body, headers }),
    });
    await world.bot.ready;
    expect(world.discord.commands()).toEqual([]);
    expect(problems(world)).toEqual([expect.stringMatching(/Discord answered 429 Too Many Requests$/)]);
    await until(() => world.discord.commands().length === commandDefinitions.length);
    expect(world.discord.requests.filter(({ method }) => method === 'PUT')).toHaveLength(2);
  });

  it('keep neither answers nor posts waiting', async () => {
    const statusPosts = [{ channelId, cron: '0 0 1 1 *', servers: ['northwood-1'] }];
    await using world = await startWorld({
      bot: { timing, config: { guildIds: [], presence: false, statusPosts } },
    });
    await world.bot.ready;
    for (const { id } of world.discord.messages(channelId)) world.discord.deleteMessage(channelId, id);
    const end = world.discord.fail({ path: /\/commands$/ }, { delayMs: 60_000 }, Infinity);
    const bot = world.restart({ keyv: new Keyv() });
    await until(() => world.discord.gateway.connected === 1 && world.discord.messages(channelId).length > 0);
    const answer = await world.discord.invoke({ guildId, channelId, user: member, commandName: 'status' });
    expect(answer.message?.embeds).toHaveLength(1);
    end();
    void bot;
  });

  it('come once the guild that refused them takes them, and the log says how to grant them', async () => {
    const config = { guildIds: [guildId], statusPosts: [], presence: false };
    const refusal = { status: 403, body: { code: 50001, message: 'Missing Access' } };
    let end = () => {};
    await using world = await startWorld({
      bot: { config, timing },
      prepare: (discord) => (end = discord.fail({ path: /\/guilds\/\d+\/commands$/ }, refusal, Infinity)),
    });
    await world.bot.ready;
    expect(problems(world)).toEqual([
      expect.stringMatching(
        /in guild \d+: Discord answered 403 Missing Access \(50001\).*scope=bot\+applications\.commands\S*$/,
      ),
    ]);
    end();
    await until(() => world.discord.commands(guildId).length === commandDefinitions.length);
  });

  it('of one guild keep no other guild waiting', async () => {
    const other = '1100000000000000910';
    const config = { guildIds: [guildId, other], statusPosts: [], presence: false };
    const refusal = { status: 403, body: { code: 50001, message: 'Missing Access' } };
    await using world = await startWorld({
      bot: { config, timing },
      prepare(discord) {
        discord.addGuild({ id: other, name: 'Other', channels: [] });
        discord.fail({ path: new RegExp(`/guilds/${guildId}/commands$`) }, refusal, Infinity);
      },
    });
    await world.bot.ready;
    expect(world.discord.commands(other)).toHaveLength(commandDefinitions.length);
  });
});

describe('a running bot', () => {
  it('answers a command that it no longer has', async () => {
    await using world = await startWorld();
    await world.bot.ready;
    const rest = createRest({ token, apiUrl: world.discord.apiUrl });
    const route = Routes.applicationCommands(world.discord.applicationId);
    await rest.post(route, { body: { name: 'old', description: 'An old one' } });
    const answer = await world.discord.invoke({ guildId, channelId, user: member, commandName: 'old' });
    expect(answer.ephemeral).toBe(true);
    expect(answer.message?.embeds[0]?.description).toContain('no longer has this command');
  });

  it('finishes an answer in flight before it stops', async () => {
    let asking = false;
    const waiting = held<OperationResponse<'listServers'>>();
    const listServers = () => {
      asking = true;
      return waiting.promise;
    };
    await using world = await startWorld({ client: contractClient({ listServers }, Date.now) });
    await world.bot.ready;
    world.discord.fail({ path: /\/callback$/ }, { delayMs: 300 });
    const asked = world.discord.invoke({ guildId, channelId, user: member, commandName: 'status' });
    let connected = 0;
    void asked.then(() => (connected = world.discord.gateway.connected));
    await until(() => asking);
    const stopped = world.bot.stop();
    waiting.resolve({ servers: [] });
    expect((await asked).message?.embeds).toHaveLength(1);
    await stopped;
    expect([connected, world.discord.gateway.connected]).toEqual([1, 0]);
  });
});

describe('deploying commands', () => {
  it('registers them in the guilds of the config or everywhere, whatever is registered', async () => {
    await using world = await startWorld();
    await world.bot.ready;
    const options = { token, apiUrl: world.discord.apiUrl };
    const names = commandDefinitions.map((definition) => definition.name);
    const registered = () => [world.discord.commands().length, world.discord.commands(guildId).length];
    expect(await deployCommands({ ...options, guildIds: [guildId] })).toEqual([
      { guildId, names },
      { guildId: null, names: [] },
    ]);
    expect(registered()).toEqual([0, names.length]);
    expect(await deployCommands(options)).toEqual([{ guildId: null, names }]);
    expect(registered()).toEqual([names.length, names.length]);
  });

  it('tries every guild, and fails with what the first one answered', async () => {
    await using world = await startWorld();
    await world.bot.ready;
    const options = { token, apiUrl: world.discord.apiUrl };
    const guildIds = ['1100000000000000911', guildId];
    await expect(deployCommands({ ...options, guildIds })).rejects.toThrow('Missing Access');
    expect(world.discord.commands(guildId)).toHaveLength(commandDefinitions.length);
  });
});
