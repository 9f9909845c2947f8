import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceUnreachableError } from '../../src/api/client-types.ts';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
import type { OperationResponse } from '../../src/api/operations.ts';
import type { RequestRecord } from 'local-discord';
import * as data from '../embeds/contract-data.ts';
import {
  channelId,
  guildId,
  held,
  member,
  moderator,
  startWorld,
  until,
  type World,
} from './discord-world.ts';

const handlers: Partial<Handlers> = {};
let world: World;

beforeAll(async () => {
  world = await startWorld({
    client: contractClient(handlers, Date.now),
  });
  await world.bot.ready;
});
afterAll(async () => world[Symbol.asyncDispose]());

const use = (commandName: string, options: Record<string, string | number> = {}, user: object = member) =>
  world.discord.invoke({ guildId, channelId, user: user as typeof member, commandName, options });

const type = (commandName: string, name: string, value: string) =>
  world.discord.autocomplete({ guildId, channelId, user: moderator, commandName, focused: { name, value } });

const callbacks = () => world.discord.requests.filter(({ path }) => path.endsWith('/callback')).length;

const isDeferral = ({ path, body }: RequestRecord) =>
  path.endsWith('/callback') && (body as { type: number }).type === 5;

/** Replaces how one operation answers, for the length of `work`. */
async function during<Id extends keyof Handlers, T>(
  id: Id,
  handler: Handlers[Id],
  work: () => Promise<T>,
): Promise<T> {
  handlers[id] = handler;
  try {
    return await work();
  } finally {
    delete handlers[id];
  }
}

describe('a member', () => {
  it.each([
    ['status', {}, 'Server status'],
    ['status', { server: 'northwood-1' }, '🟢 Northwood | Chernarus'],
    ['online', { server: 'northwood-1' }, '👥 Players on Northwood | Chernarus'],
    ['top', { metric: 'PLAYER_KILLS' }, '⚔️ Player kills'],
    ['schedule', {}, '📅 Schedule'],
  ])('sees the answer of /%s %j in the channel', async (name, options, title) => {
    const answer = await use(name, options);
    expect(answer).toMatchObject({ deferred: false, ephemeral: false, followUps: [] });
    expect(answer.message?.embeds[0]?.title).toBe(title);
  });

  it('alone sees the answer of /lookup, which contains identifiers', async () => {
    const answer = await use('lookup', { identifier: '76561198000000001' });
    expect(answer.ephemeral).toBe(true);
    expect(answer.message?.embeds[0]?.title).toBe('👤 Survivor');
  });

  it('may not use /bans, even when Discord lets the command through', async () => {
    const answer = await world.discord.invoke({
      guildId,
      channelId,
      user: member,
      commandName: 'bans',
      evenIfHidden: true,
    });
    expect(answer.ephemeral).toBe(true);
    expect(answer.message?.embeds[0]?.title).toBe("🔒 You can't use this");
  });

  it('is offered servers, metrics and lists while typing', async () => {
    expect(await type('status', 'server', 'livo')).toEqual([
      { name: 'Northwood | Livonia', value: 'northwood-2' },
    ]);
    expect(await type('top', 'metric', 'animals')).toEqual([
      { name: 'Animals killed', value: 'ANIMAL_KILLS' },
    ]);
    expect(await type('bans', 'list', '')).toEqual([{ name: 'Northwood bans', value: 'northwood-bans' }]);
  });

  it('reads why, when the service fails', async () => {
    const fails = () => Promise.reject(new ServiceUnreachableError('no answer'));
    const answer = await during('listServers', fails, () => use('status'));
    expect(answer.ephemeral).toBe(true);
    expect(answer.message?.embeds[0]?.description).toContain("The data service isn't responding");
  });

  it('reads an apology when the bot itself fails, and no inside of it', async () => {
    const fails = () => Promise.reject(new TypeError('undefined is not a function'));
    const answer = await during('listServers', fails, () => use('status'));
    expect(answer.message?.embeds[0]?.description).toBe(
      "An unexpected error occurred. The bot's owner can find the details in the log.",
    );
    expect(world.lines.some((line) => JSON.stringify(line).includes('undefined is not a function'))).toBe(
      true,
    );
  });
});

describe('/bans while typing', () => {
  it('shows a member no list, even when Discord lets the command through', async () => {
    const choices = await world.discord.autocomplete({
      guildId,
      channelId,
      user: member,
      commandName: 'bans',
      focused: { name: 'list', value: '' },
      evenIfHidden: true,
    });
    expect(choices).toEqual([]);
  });
});

describe('a service that takes longer than Discord waits', () => {
  it('is bridged by a deferral, and has nothing to offer while typing', async () => {
    const waiting = held<OperationResponse<'listServers'>>();
    handlers.listServers = () => waiting.promise;
    const asked = use('status');
    // The local Discord gives up on whoever is silent for three seconds, as Discord does.
    expect(await type('status', 'server', '')).toEqual([]);
    await until(() => world.discord.requests.some(isDeferral));
    delete handlers.listServers;
    waiting.resolve({ servers: data.servers });
    expect(await asked).toMatchObject({ deferred: true });
  });
});

describe('a moderator', () => {
  it('alone sees who is banned', async () => {
    const answer = await use('bans', { identifier: '76561198000000001' }, moderator);
    expect(answer.ephemeral).toBe(true);
    expect(answer.message?.embeds[0]?.title).toBe('🔨 Banned');
  });
});

describe('a Discord that misbehaves', () => {
  const callback = { method: 'POST', path: /\/callback$/ };
  const refusal = (code: number, status: number) => ({ status, body: { code, message: 'injected' } });

  it.each([
    ['too late', refusal(10062, 404)],
    ['already acknowledged', refusal(40060, 400)],
  ])('is logged, not thrown: %s', async (_, response) => {
    const before = world.lines.length;
    const sent = callbacks();
    world.discord.fail(callback, response);
    const asked = use('status').catch(() => null);
    await until(() => world.lines.slice(before).some((line) => line.level === 40));
    expect((await use('status')).message?.embeds[0]?.title).toBe('Server status');
    expect(world.lines.slice(before).filter((line) => line.level >= 40)).toHaveLength(1);
    expect(callbacks() - sent).toBe(2);
    void asked;
  });

  it('that answers a callback with 500 once still gets the answer', async () => {
    world.discord.fail(callback, { status: 500 }, 1);
    expect((await use('status')).message?.embeds[0]?.title).toBe('Server status');
  });

  it('that refuses a body is given an apology instead', async () => {
    world.discord.fail(callback, refusal(50035, 400));
    const answer = await use('status');
    expect(answer.message?.embeds[0]?.description).toContain('An unexpected error occurred');
  });
});
