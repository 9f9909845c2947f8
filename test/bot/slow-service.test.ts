import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceUnreachableError } from '../../src/api/client-types.ts';
import type { OperationResponse } from '../../src/api/operations.ts';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
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
import { ask } from './faults.ts';

const handlers: Partial<Handlers> = {};
let world: World;

beforeAll(async () => {
  world = await startWorld({
    client: contractClient(handlers, Date.now),
    bot: { timing: { deferAfterMs: 20 } },
  });
  await world.bot.ready;
});
afterAll(async () => world[Symbol.asyncDispose]());

const use = (commandName: string, user: object = member) =>
  world.discord.invoke({ guildId, channelId, user: user as typeof member, commandName });

const callbacks = () => world.discord.requests.filter((request) => request.path.endsWith('/callback')).length;

/** Asks while one operation waits, and lets `end` settle it once the deferral is out. */
async function deferred<Id extends keyof Handlers>(
  id: Id,
  ask: () => ReturnType<typeof use>,
  end: (waiting: ReturnType<typeof held<OperationResponse<Id>>>) => void,
) {
  const waiting = held<OperationResponse<Id>>();
  handlers[id] = (() => waiting.promise) as never;
  try {
    const before = callbacks();
    const asked = ask();
    await until(() => callbacks() > before);
    end(waiting);
    return await asked;
  } finally {
    delete handlers[id];
  }
}

describe('a slow service', () => {
  it('leads to one deferral and one answer', async () => {
    const answer = await deferred(
      'listServers',
      () => use('status'),
      ({ resolve }) => resolve({ servers: data.servers }),
    );
    expect(answer).toMatchObject({ deferred: true, ephemeral: false, followUps: [] });
    expect(answer.message?.embeds[0]?.title).toBe('Server status');
  });

  it('keeps a private answer private', async () => {
    const ask = () => use('bans', moderator);
    const answer = await deferred('listBanlists', ask, ({ resolve }) => resolve({ banlists: [] }));
    expect(answer).toMatchObject({ deferred: true, ephemeral: true });
  });

  it('that fails in the end is reported in place of the answer, to the member alone', async () => {
    const answer = await deferred(
      'listServers',
      () => use('status'),
      ({ reject }) => reject(new ServiceUnreachableError('no answer')),
    );
    expect(answer).toMatchObject({ deferred: true, message: null });
    const [failure] = answer.followUps;
    expect(failure).toMatchObject({ visibleTo: member.id });
    expect(failure?.embeds[0]?.description).toContain("The data service isn't responding");
  });

  it('that never answers is given up with a sentence', async () => {
    await using hasty = await startWorld({
      client: contractClient({ listServers: () => new Promise(() => {}) }, Date.now),
      bot: { timing: { deferAfterMs: 20, answerWithinMs: 400 } },
    });
    await hasty.bot.ready;
    const answer = await ask(hasty.discord, 'status');
    expect(answer.followUps[0]?.embeds[0]?.description).toBe('This took too long. Try again in a minute.');
  });

  it.each([
    ['one', 0],
    ['every', 3],
  ])('is answered when the deferral came through but %s answer to it was lost', async (_, retries) => {
    world.discord.fail({ path: /\/callback$/ }, { status: 500, afterwards: true });
    world.discord.fail({ path: /\/callback$/ }, { status: 500 }, retries);
    const answer = await deferred(
      'listServers',
      () => use('status'),
      ({ resolve }) => resolve({ servers: data.servers }),
    );
    expect(answer).toMatchObject({ deferred: true, followUps: [] });
    expect(answer.message?.embeds[0]?.title).toBe('Server status');
  });

  it('is answered even when Discord fails every attempt to defer', async () => {
    world.discord.fail({ path: /\/callback$/ }, { status: 500 }, 4);
    const answer = await deferred(
      'listServers',
      () => use('status'),
      ({ resolve }) => resolve({ servers: [] }),
    );
    expect(answer.message?.embeds).toHaveLength(1);
  });
});
