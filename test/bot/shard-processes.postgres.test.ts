import type { ChildProcess } from 'node:child_process';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';

import { openNewDatabase } from '../harness/new-store.ts';
import { token, until } from './discord-world.ts';
import { askIn, end, expectOneAnswer, forkBot, guilds } from './shard-world.ts';

let store: Awaited<ReturnType<typeof openNewDatabase>>;
let discord: LocalDiscord;
const children: ChildProcess[] = [];
beforeEach(async () => {
  store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  discord = await startLocalDiscord({
    token,
    guilds,
    shards: 4,
    maxConcurrency: 2,
    // Longer than a lease lasts.
    acknowledgeWithinMs: 60_000,
  });
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => end(child, 'SIGKILL')));
  await discord.close();
  await store.close();
});

async function start(): Promise<ChildProcess> {
  return await new Promise((resolve, reject) => {
    const child = forkBot(store.location, discord, (message) => message === 'ready' && resolve(child));
    children.push(child);
    child.on('exit', () => reject(new Error('the process ended')));
  });
}

/** How many shards each process holds. */
async function shares(): Promise<number[]> {
  const { rows } = await sql<{ shards: number }>`
    SELECT count(*) AS shards FROM lease WHERE name LIKE 'shard:%' GROUP BY owner`.execute(store.db);
  return rows.map(({ shards }) => shards);
}

it('two processes share the shards by leases; when one is killed, the other logs its shards in', async () => {
  const [first] = await Promise.all([start(), start()]);
  const { gateway } = discord;
  await expect
    .poll(async () => [await shares(), gateway.shards])
    .toEqual([
      [2, 2],
      [0, 1, 2, 3],
    ]);
  // Whoever holds the first shard registers them, which the other does not wait for.
  await until(() => discord.commands().length > 0);
  const ask = askIn(discord);
  for (const answer of await Promise.all(guilds.map(ask))) expectOneAnswer(discord, answer);
  const { identifies } = gateway;
  await end(first, 'SIGKILL');
  await until(() => gateway.shards.length < 4);
  await until(() => gateway.shards.length === 4);
  expect(await shares()).toEqual([4]);
  expect(gateway).toMatchObject({ identifies: identifies + 2, resumes: 0, tooSoon: 0 });
  for (const answer of await Promise.all(guilds.map(ask))) expectOneAnswer(discord, answer);
});
