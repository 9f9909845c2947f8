import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OperationResponse } from '../../src/api/operations.ts';
import type { Message } from 'local-discord';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
import * as data from '../embeds/contract-data.ts';
import { channelId, guildId, held, member, startWorld, until, type World } from './discord-world.ts';
import { ask, callbacksOf, expectAnsweredOnce } from './faults.ts';

const handlers: Partial<Handlers> = {};
const boards = (): OperationResponse<'listLeaderboards'> => ({
  leaderboards: [data.leaderboard(['Anna', 'Bert', 'Carl'])],
});
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
  handlers.listLeaderboards = boards;
});

/** A board of one row a page, and how its next page is asked for. */
async function openBoard(): Promise<{
  message: Message;
  turn: (until?: 'answered') => ReturnType<World['discord']['click']>;
}> {
  const { message } = await world.discord.invoke({
    guildId,
    channelId,
    user: member,
    commandName: 'top',
    options: { metric: 'PLAYER_KILLS', limit: 1 },
  });
  if (!message) throw new Error('/top has no answer');
  const buttons = message.components.flatMap((row) => row.components ?? []);
  const next = buttons.find((button) => button.label === 'Next');
  return {
    message,
    turn: (until) =>
      world.discord.click({
        messageId: message.id,
        customId: next?.custom_id ?? '',
        user: member,
        ...(until && { until }),
      }),
  };
}

const rowOf = (message: Message | null) => message?.embeds[0]?.description ?? '';
const callback = { path: /\/callback$/ };

describe('a page that is turned', () => {
  it.each([
    ['500 three times', { status: 500 }, 3],
    ['503 for longer than discord.js tries', { status: 503 }, 9],
    ['a connection that is cut', { cut: true }, 2],
  ])('while its callback meets %s changes the message once', async (_, fault, times) => {
    const { message, turn } = await openBoard();
    expect(rowOf(message)).toContain('Anna');
    world.discord.fail(callback, fault, times);
    const turned = await turn();
    expectAnsweredOnce(world.discord, turned);
    expect(turned).toMatchObject({ acknowledgement: 'update', message: { id: message.id } });
    expect(rowOf(turned.message)).toContain('Bert');
  });

  it('while the service is slow is acknowledged at once and changes the message later', async () => {
    const { message, turn } = await openBoard();
    const waiting = held<OperationResponse<'listLeaderboards'>>();
    handlers.listLeaderboards = () => waiting.promise;
    const turning = turn('answered');
    const deferred = () =>
      world.discord.requests.some(({ body }) => (body as { type?: number } | undefined)?.type === 6);
    await until(deferred);
    world.discord.fail({ path: /\/messages\/@original$/ }, { status: 503 }, 6);
    waiting.resolve(boards());
    const turned = await turning;
    expectAnsweredOnce(world.discord, turned);
    expect(turned).toMatchObject({ acknowledgement: 'deferredUpdate', message: { id: message.id } });
    expect(rowOf(turned.message)).toContain('Bert');
  });

  it('too late (10062) leaves the message as it is, and the next press works', async () => {
    const { message, turn } = await openBoard();
    const end = world.discord.fail(callback, { status: 404, body: { code: 10062, message: 'no' } }, Infinity);
    await expect(turn()).rejects.toThrow('did not respond');
    end();
    expect(rowOf(world.discord.messages(channelId).find(({ id }) => id === message.id) ?? null)).toContain(
      'Anna',
    );
    expect(rowOf((await turn()).message)).toContain('Bert');
  });

  it('on a message that is deleted at that moment (10008) is answered to the member alone', async () => {
    const { message, turn } = await openBoard();
    const waiting = held<OperationResponse<'listLeaderboards'>>();
    let asked = false;
    handlers.listLeaderboards = () => {
      asked = true;
      return waiting.promise;
    };
    const turning = turn();
    await until(() => asked);
    world.discord.deleteMessage(channelId, message.id);
    waiting.resolve(boards());
    const turned = await turning;
    expectAnsweredOnce(world.discord, turned);
    expect(turned.ephemeral).toBe(true);
    expect(callbacksOf(world.discord, turned.id).map(({ status }) => status)).toEqual([404, 204]);
  });

  it('while the socket is gone is turned after RESUME, once', async () => {
    const { turn } = await openBoard();
    world.discord.gateway.dropAll();
    const turned = await turn();
    expectAnsweredOnce(world.discord, turned);
    expect(rowOf(turned.message)).toContain('Bert');
    expectAnsweredOnce(world.discord, await ask(world.discord, 'status'));
  });
});
