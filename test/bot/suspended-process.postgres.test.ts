import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLocalDiscord, type Invocation, type LocalDiscord } from 'local-discord';
import { openNewDatabase } from '../harness/new-store.ts';
import { token, until } from './discord-world.ts';
import { askIn, end, expectOneAnswer, forkBot, guildsOn } from './shard-world.ts';

// Discord does not say what a connection gets whose session another one resumes, so it gets all of these in turn.
const whenDisplaced = ['cut', 'close', 'reconnect', 'invalidate', 'ignore'] as const;
const half = whenDisplaced.length;
const guilds = guildsOn(2 * half);

let store: Awaited<ReturnType<typeof openNewDatabase>>;
let discord: LocalDiscord;
const children: ChildProcess[] = [];
beforeEach(async () => {
  store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  discord = await startLocalDiscord({
    token,
    guilds,
    shards: 2 * half,
    maxConcurrency: 2 * half,
    whenDisplaced,
    // Longer than a lease lasts.
    acknowledgeWithinMs: 120_000,
  });
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => end(child, 'SIGKILL')));
  await discord.close();
  await store.close();
});

async function start(): Promise<ChildProcess> {
  return await new Promise((resolve, reject) => {
    const child = forkBot(store.location, discord, 20, (message) => message === 'ready' && resolve(child));
    children.push(child);
    child.on('exit', () => reject(new Error('the process ended')));
  });
}

/** How many shards each process holds by its leases. */
async function shares(): Promise<number[]> {
  const { rows } = await sql<{ shards: number }>`
    SELECT count(*) AS shards FROM lease WHERE name LIKE 'shard:%' AND expires_at > clock_timestamp()
    GROUP BY owner ORDER BY 1`.execute(store.db);
  return rows.map(({ shards }) => shards);
}

const patience = { timeout: 150_000, interval: 200 };

/** Waits until discord.js has left all connections, to make new ones. */
async function reconnecting(): Promise<void> {
  discord.gateway.requestReconnect();
  await until(() => discord.gateway.connected === 0);
}

describe.skipIf(process.platform === 'win32')(
  'a process that was stopped and goes on (not on Windows, which has no SIGSTOP)',
  () => {
    it.each<[when: string, prepare: () => Promise<unknown>, displaced: number]>([
      ['while it is connected', () => Promise.resolve(), half],
      // discord.js connects again half a second later, although it was told to leave meanwhile.
      ['before it reconnects', reconnecting, 0],
    ])(
      '%s: leaves its sessions to another process, and no member gets two answers or none',
      async (_when, prepare, displaced) => {
        const [first] = await Promise.all([start(), start()]);
        const { gateway } = discord;
        await expect.poll(shares, patience).toEqual([half, half]);
        await expect.poll(() => gateway.shards.length, patience).toBe(2 * half);
        const ask = askIn(discord);
        for (const answer of await Promise.all(guilds.map(ask))) expectOneAnswer(discord, answer);
        const { identifies } = gateway;

        await prepare();
        first.kill('SIGSTOP');
        // Half of these wait in the stopped process as well.
        const asked: Promise<Invocation>[] = guilds.map(ask);
        await expect.poll(shares, patience).toEqual([2 * half]);
        await expect.poll(() => gateway.shards.length, patience).toBe(2 * half);
        await expect.poll(() => gateway.displaced, patience).toBe(displaced);

        first.kill('SIGCONT');
        // Until it has got its share again, by agreement.
        const isShared = async () => (await shares()).join() === `${half},${half}`;
        while (!(await isShared())) {
          asked.push(...guilds.map(ask));
          await delay(100);
          expect(gateway.displaced).toBe(displaced);
        }
        await expect.poll(() => gateway.shards.length, patience).toBe(2 * half);
        asked.push(...guilds.map(ask));
        const answers = await Promise.all(asked);
        for (const answer of answers) expectOneAnswer(discord, answer);
        expect(gateway).toMatchObject({ identifies, logins: identifies, displaced, tooSoon: 0 });
      },
      400_000,
    );
  },
);
