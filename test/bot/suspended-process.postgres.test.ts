import type { ChildProcess } from 'node:child_process';
import { sql } from 'kysely';
import { describe, it } from 'vitest';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { openNewDatabase } from '../harness/new-store.ts';
import { token, until } from './discord-world.ts';
import { callbacksOf } from './faults.ts';
import { askIn, end, expectOneAnswer, forkBot, guildsOn } from './shard-world.ts';

const half = 5;
const guilds = guildsOn(2 * half);

/** A Discord and a store for processes of one test. */
async function openWorld() {
  const store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  const discord = await startLocalDiscord({
    token,
    guilds,
    shards: 2 * half,
    maxConcurrency: 2 * half,
    // Longer than a lease lasts.
    acknowledgeWithinMs: 120_000,
  });
  const children: ChildProcess[] = [];
  return {
    discord,
    start: async (): Promise<ChildProcess> =>
      await new Promise((resolve, reject) => {
        const child = forkBot(store.location, discord, (message) => message === 'ready' && resolve(child));
        children.push(child);
        child.on('exit', () => reject(new Error('the process ended')));
      }),
    /** How many shards each process holds by its leases. */
    async shares(): Promise<number[]> {
      const { rows } = await sql<{ shards: number }>`
        SELECT count(*) AS shards FROM lease WHERE name LIKE 'shard:%' AND expires_at > clock_timestamp()
        GROUP BY owner ORDER BY 1`.execute(store.db);
      return rows.map(({ shards }) => shards);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map((child) => end(child, 'SIGKILL')));
      await discord.close();
      await store.close();
    },
  };
}

const patience = { timeout: 150_000, interval: 200 };

/** Waits until discord.js has left all connections, to make new ones. */
async function reconnecting({ gateway }: LocalDiscord): Promise<void> {
  gateway.requestReconnect();
  await until(() => gateway.connected === 0);
}

describe.skipIf(process.platform === 'win32')(
  'a process that was stopped and goes on (not on Windows, which has no SIGSTOP)',
  () => {
    // They wait for leases to expire most of the time.
    it.concurrent.for<[when: string, prepare: (discord: LocalDiscord) => Promise<unknown>]>([
      ['while it is connected', () => Promise.resolve()],
      // discord.js connects again half a second later, although it was told to leave meanwhile.
      ['before it reconnects', reconnecting],
    ])(
      '%s: leaves its shards to another process, and answers nothing that the other one was asked, too',
      { timeout: 400_000 },
      async ([, prepare], { expect }) => {
        await using world = await openWorld();
        const { discord, start, shares } = world;
        const [first] = await Promise.all([start(), start()]);
        const { gateway } = discord;
        await expect.poll(shares, patience).toEqual([half, half]);
        await expect.poll(() => gateway.shards.length, patience).toBe(2 * half);
        const ask = askIn(discord);
        for (const answer of await Promise.all(guilds.map(ask))) expectOneAnswer(discord, answer);
        const { identifies } = gateway;

        await prepare(discord);
        first.kill('SIGSTOP');
        await expect.poll(shares, patience).toEqual([2 * half]);
        await expect.poll(() => gateway.identifies, patience).toBe(identifies + half);
        await expect.poll(() => new Set(gateway.shards).size, patience).toBe(2 * half);
        // Half of these are sent to the stopped process as well, or wait for it.
        const asked = await Promise.all(guilds.map(ask));

        first.kill('SIGCONT');
        // Until it has got its share again, by agreement.
        await expect.poll(shares, patience).toEqual([half, half]);
        await expect.poll(() => gateway.identifies, patience).toBe(identifies + 2 * half);
        await expect.poll(() => gateway.shards.length, patience).toBe(2 * half);
        asked.push(...(await Promise.all(guilds.map(ask))));
        for (const answer of asked) {
          expectOneAnswer(discord, answer);
          expect(callbacksOf(discord, answer.id)).toHaveLength(1);
        }
        expect(gateway).toMatchObject({ logins: identifies + 2 * half, tooSoon: 0 });
      },
    );
  },
);
