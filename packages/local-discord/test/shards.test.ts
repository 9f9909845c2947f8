import { once } from 'node:events';
import { Events } from 'discord.js';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startLocalDiscord } from '../src/index.ts';
import type { LocalDiscord, LocalDiscordOptions } from '../src/index.ts';
import { newClient, token } from './bot.ts';

/** The guild of a shard, where there are two. */
const guildOfShard = (shard: number): string => String((BigInt(2 + shard) << 22n) + (1n << 60n));

let discord: LocalDiscord;
let now: number;
async function start(options: Partial<LocalDiscordOptions>): Promise<void> {
  discord = await startLocalDiscord({ token, now: () => now, ...options });
}
beforeEach(() => void (now = 1_800_000_000_000));
afterEach(async () => await discord.close());

/** What the gateway sends on a connection that starts with `first`: operation codes and events, then the close code. */
async function converse(...payloads: object[]): Promise<(number | string)[]> {
  const socket = new WebSocket(discord.gateway.url);
  const seen: (number | string)[] = [];
  const closed = once(socket, 'close').then(([code]) => seen.push(code as number));
  const invalid = new Promise<void>((resolve) =>
    socket.on('message', (raw: Buffer) => {
      const { op, t } = JSON.parse(raw.toString()) as { op: number; t?: string };
      seen.push(t ?? op);
      if (op === 9 || t === 'RESUMED') resolve();
    }),
  );
  await once(socket, 'open');
  for (const payload of payloads) socket.send(JSON.stringify(payload));
  await Promise.race([closed, invalid]);
  socket.terminate();
  return seen;
}
const identify = (shard: unknown) => ({ op: 2, d: { token, intents: 1, properties: {}, shard } });

/** Begins a session whose connection is lost, and returns its id. A discord.js client would resume it by itself. */
async function lostSession(): Promise<string> {
  const socket = new WebSocket(discord.gateway.url);
  const id = await new Promise<string>((resolve) => {
    socket.on('message', (raw: Buffer) => {
      const { op, t, d } = JSON.parse(raw.toString()) as {
        op: number;
        t?: string;
        d: { session_id: string };
      };
      if (op === 10) socket.send(JSON.stringify(identify([0, 1])));
      if (t === 'READY') resolve(d.session_id);
    });
  });
  socket.terminate();
  return id;
}

test('a client with two shards gets each guild on its own', async () => {
  const guilds = [0, 1].map((shard) => ({ id: guildOfShard(shard), name: `g${shard}`, channels: [] }));
  await start({ guilds, shards: 2 });
  const client = newClient(discord);
  client.options.shards = 'auto';
  const ready = once(client, Events.ClientReady);
  await client.login(token);
  await ready;
  expect(client.guilds.cache.map(({ id, shardId }) => [id, shardId])).toEqual([
    [guildOfShard(0), 0],
    [guildOfShard(1), 1],
  ]);
  expect(discord.gateway.shards).toEqual([0, 1]);
  await client.destroy();
});

test.each([[[2, 2]], [[-1, 2]], [['0', 1]], [[0, 0]], ['none']])(
  'refuses the shard %j with 4010',
  async (shard) => {
    await start({});
    expect(await converse(identify(shard))).toEqual([10, 4010]);
  },
);

test('refuses a shard with more than 2,500 guilds with 4011, and recommends one for each thousand', async () => {
  const guilds = Array.from({ length: 2_501 }, (_, index) => ({
    id: String((BigInt(index * 2) << 22n) + (1n << 60n)),
    name: 'g',
    channels: [],
  }));
  await start({ guilds });
  expect(await converse(identify([0, 1]))).toEqual([10, 4011]);
  const response = await fetch(`${discord.apiUrl}/v10/gateway/bot`, {
    headers: { authorization: `Bot ${token}` },
  });
  expect(await response.json()).toMatchObject({ shards: 3, session_start_limit: { max_concurrency: 1 } });
});

test('a session may be resumed for five minutes, with a sequence that it has reached', async () => {
  await start({ guilds: [] });
  const sessionId = await lostSession();
  const resume = (seq: number) => ({ op: 6, d: { token, session_id: sessionId, seq } });
  await expect.poll(() => discord.gateway.connected).toBe(0);
  expect(await converse(resume(5))).toEqual([10, 4007]);
  expect(await converse(resume(1))).toEqual([10, 'RESUMED']);
  await expect.poll(() => discord.gateway.connected).toBe(0);
  now += 5 * 60_000 + 1;
  expect(await converse(resume(2))).toEqual([10, 9]);
});

test('closes a connection that sends too much with 4008', async () => {
  await start({});
  const beats = Array.from({ length: 121 }, () => ({ op: 1, d: null }));
  expect((await converse(...beats)).at(-1)).toBe(4008);
});
