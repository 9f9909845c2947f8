import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
import type { OperationResponse } from '../../src/api/operations.ts';
import * as data from '../embeds/contract-data.ts';
import { channelId, guildId, held, member, startWorld, until, type World } from './discord-world.ts';
import { ask, callbacksOf, expectAnsweredOnce, isReadable } from './faults.ts';

const handlers: Partial<Handlers> = {};
let world: World;

beforeAll(async () => {
  world = await startWorld({
    client: contractClient(handlers, Date.now),
    bot: { timing: { deferAfterMs: 50 } },
    discord: { acknowledgeWithinMs: 3_000 },
  });
  await world.bot.ready;
});
afterAll(async () => world[Symbol.asyncDispose]());
beforeEach(() => {
  delete handlers.listServers;
});

const callback = { path: /\/callback$/ };
const edit = { path: /\/messages\/@original$/ };
const unavailable = { status: 503 };
const answerWith = (status: number, code: number, message = 'injected') => ({
  status,
  body: { code, message },
});

/** Asks /status and lets the service answer only after the deferral; `before` comes in between. */
async function askDeferred(before: () => void = () => {}) {
  const waiting = held<OperationResponse<'listServers'>>();
  handlers.listServers = () => waiting.promise;
  const asked = ask(world.discord, 'status');
  const deferrals = () =>
    world.discord.requests.filter(({ body }) => (body as { type?: number } | undefined)?.type === 5).length;
  const seen = deferrals();
  await until(() => deferrals() > seen);
  before();
  waiting.resolve({ servers: data.servers });
  return await asked;
}

/** The bot is none the worse: the next member is answered as ever. */
async function expectUnharmed(): Promise<void> {
  delete handlers.listServers;
  const answer = await ask(world.discord, 'status');
  expectAnsweredOnce(world.discord, answer);
  expect(callbacksOf(world.discord, answer.id)).toHaveLength(1);
}

describe('a callback', () => {
  it.each([
    ['500 three times', { status: 500 }, 3],
    ['503 for a second', unavailable, 12],
    ['429 with a time to wait', { ...answerWith(429, 0), body: tooMany(), headers: limitHeaders() }, 1],
    ['a connection that is cut', { cut: true }, 2],
  ])('that meets %s is taken once in the end', async (_, fault, times) => {
    world.discord.fail(callback, fault, times);
    const answer = await ask(world.discord, 'status');
    expectAnsweredOnce(world.discord, answer);
    expect(answer.message?.embeds[0]?.title).toBe('Server status');
    await expectUnharmed();
  });

  it('that took effect although its answer was lost is not sent a second time', async () => {
    world.discord.fail(callback, { status: 500, afterwards: true });
    const before = world.discord.messages(channelId).length;
    const answer = await ask(world.discord, 'status');
    expect(answer.message?.embeds[0]?.title).toBe('Server status');
    // The second attempt, which Discord refuses.
    await until(() => callbacksOf(world.discord, answer.id).length === 2);
    expect(world.discord.messages(channelId)).toHaveLength(before + 1);
    await expectUnharmed();
  });

  it('that comes too late (10062) ends it there', async () => {
    const end = world.discord.fail(callback, answerWith(404, 10062), Infinity);
    const seen = world.discord.requests.length;
    await expect(ask(world.discord, 'status')).rejects.toThrow('did not respond');
    end();
    expect(world.discord.requests.slice(seen).filter(({ path }) => callback.path.test(path))).toHaveLength(1);
    await expectUnharmed();
  });

  it('that Discord has had already (40060) ends it there, and no second message comes', async () => {
    const before = world.discord.messages(channelId).length;
    world.discord.fail(callback, { ...answerWith(400, 40060), afterwards: true });
    const answer = await ask(world.discord, 'status');
    expect(callbacksOf(world.discord, answer.id)).toHaveLength(1);
    await expectUnharmed();
    expect(world.discord.messages(channelId)).toHaveLength(before + 2);
  });

  it('whose body Discord refuses is given an apology instead', async () => {
    world.discord.fail(callback, answerWith(400, 50035));
    const answer = await ask(world.discord, 'status');
    expect(answer.message?.embeds[0]?.description).toContain('An unexpected error occurred');
  });

  it('is not repeated where Cloudflare blocks this machine without saying for how long', async () => {
    const end = world.discord.fail(callback, { status: 429, body: 'error code: 1015' }, Infinity);
    const seen = world.discord.requests.length;
    await expect(ask(world.discord, 'status')).rejects.toThrow('did not respond');
    end();
    // The answer, and what is said in its place.
    expect(world.discord.requests.slice(seen).filter(({ path }) => callback.path.test(path))).toHaveLength(2);
    await expectUnharmed();
  });

  it('of a completion that meets 500 three times offers its choices', async () => {
    world.discord.fail(callback, { status: 500 }, 3);
    const choices = await world.discord.autocomplete({
      guildId,
      channelId,
      user: member,
      commandName: 'status',
      focused: { name: 'server', value: '' },
    });
    expect(choices.length).toBeGreaterThan(0);
  });
});

describe('an answer after a deferral', () => {
  it.each([
    ['500 three times', { status: 500 }, 3],
    ['503 for longer than discord.js tries', unavailable, 20],
    ['429 with a time to wait', { ...answerWith(429, 0), body: tooMany(), headers: limitHeaders() }, 1],
  ])('that meets %s takes the place of the deferral in the end', async (_, fault, times) => {
    const answer = await askDeferred(() => world.discord.fail(edit, fault, times));
    expectAnsweredOnce(world.discord, answer);
    expect(answer).toMatchObject({ deferred: true, message: { flags: 0 } });
    expect(answer.message?.embeds[0]?.title).toBe('Server status');
  });

  it('that the member has dismissed meanwhile (10008) is left at that', async () => {
    const before = world.discord.messages(channelId).length;
    const asked = askDeferred(() => {
      const placeholder = world.discord.messages(channelId).at(-1);
      world.discord.deleteMessage(channelId, placeholder?.id ?? '');
    });
    const seen = world.discord.requests.length;
    await until(() => world.discord.requests.slice(seen).some(({ path }) => edit.path.test(path)));
    await expectUnharmed();
    expect(world.discord.messages(channelId)).toHaveLength(before + 1);
    expect(world.discord.requests.slice(seen).filter(({ path }) => edit.path.test(path))).toHaveLength(1);
    asked.catch(() => {});
  });
});

describe('a channel where the bot may do nothing', () => {
  it('still gets answers to commands: they need no permission', async () => {
    world.discord.denyBot(channelId, (1n << 53n) - 1n);
    const answer = await ask(world.discord, 'status');
    world.discord.denyBot(channelId, 0n);
    expect(isReadable(answer.message)).toBe(true);
    expectAnsweredOnce(world.discord, answer);
  });
});

function tooMany(): object {
  return { message: 'You are being rate limited.', retry_after: 0.2, global: false, code: 0 };
}

function limitHeaders(): Record<string, string> {
  return {
    'retry-after': '1',
    'x-ratelimit-reset-after': '0.2',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-limit': '1',
    'x-ratelimit-scope': 'shared',
  };
}
