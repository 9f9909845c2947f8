import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { Poller } from '../../../src/server/live/poller.ts';
import { QueryError, type QueryServer } from '../../../src/server/live/query.ts';
import { openWriter, type WriteDatabase } from '../../../src/server/store/engine/database.ts';
import { reconcile } from '../../../src/server/store/repositories/projects/reconcile.ts';

const count = 400;
const periodMs = 15_000;
const hour = 3_600_000;
const config = configSchema.parse({
  projects: [
    {
      slug: 'p',
      name: 'P',
      servers: Array.from({ length: count }, (_, port) => ({
        id: `s-${port}`,
        name: 'S',
        host: '127.0.0.1',
        port: port + 1,
        queryPort: port + 1,
      })),
    },
  ],
});

let folder: string;
let writer: WriteDatabase;
let poller: Poller;
/** Servers that are silent, by port. */
let silent: (port: number) => boolean;
/** When each server was asked, by the monotonic clock. */
let asked: Map<number, number[]>;

/** Silence is noticed after two packets, of which each is waited for. */
const query: QueryServer = async ({ port }) => {
  asked.set(port, [...(asked.get(port) ?? []), performance.now()]);
  await new Promise((resolve) => setTimeout(resolve, silent(port) ? 3_000 : 20));
  if (silent(port)) throw new QueryError('no_answer', new Error('timed out'));
  return { map: 'enoch', players: 1, maxPlayers: 2, queue: null, listed: [], observedAt: Date.now() };
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-pace-'));
  writer = await openWriter(join(folder, 'outpost.sqlite'));
  await reconcile(writer.db, config);
  asked = new Map();
  silent = (port) => port % 2 === 0;
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00.000Z') });
});
afterEach(async () => {
  await poller.stop();
  vi.useRealTimers();
  await writer.close();
  await rm(folder, { recursive: true, force: true });
});

function start(ask = query): void {
  poller = new Poller({ db: writer.db, check: ask, log: pino({ level: 'silent' }), periodMs });
}

const stateOf = async (serverId: string) =>
  await writer.db.selectFrom('server_state').selectAll().where('server_id', '=', serverId).executeTakeFirst();

const gapsOf = (port: number): number[] =>
  (asked.get(port) ?? []).flatMap((at, index, all) => (index === 0 ? [] : [at - (all[index - 1] as number)]));

it('checks each server that answers every 15 seconds, however many others are dead', async () => {
  start();
  await vi.advanceTimersByTimeAsync(95_000);
  for (let port = 1; port <= count; port += 2) {
    const gaps = gapsOf(port);
    expect(gaps.length).toBeGreaterThanOrEqual(5);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(periodMs + 200);
    // The first check is made at once, the second in the server's own place of the period.
    expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(periodMs - 200);
  }
});

it('spreads the checks over the period', async () => {
  start();
  await vi.advanceTimersByTimeAsync(60_000);
  const perSecond = new Map<number, number>();
  for (const at of [...asked.values()].flatMap((times) => times.slice(2))) {
    const second = Math.floor(at / 1_000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  expect(Math.max(...perSecond.values())).toBeLessThanOrEqual((2 * count) / 15);
});

it.each([-24, -1, 1, 24])('keeps its pace when the wall clock is set by %i h', async (hours) => {
  start();
  await vi.advanceTimersByTimeAsync(40_000);
  vi.setSystemTime(Date.now() + hours * hour);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(Math.max(...gapsOf(1))).toBeLessThanOrEqual(periodMs + 200);
  const state = await stateOf('s-0');
  expect(Date.now() - (state?.checked_at ?? 0)).toBeLessThanOrEqual(periodMs + 2_000);
  expect(Date.now() - (state?.checked_at ?? 0)).toBeGreaterThanOrEqual(0);
});

it('keeps its pace while the store is busy', async () => {
  start();
  await vi.advanceTimersByTimeAsync(20_000);
  let release = (): void => undefined;
  const busy = writer.db.transaction().execute(() => new Promise<void>((resolve) => (release = resolve)));
  await vi.advanceTimersByTimeAsync(60_000);
  release();
  await busy;
  expect(gapsOf(1).length).toBeGreaterThanOrEqual(5);
  expect(Math.max(...gapsOf(1))).toBeLessThanOrEqual(periodMs + 200);
});

it('shows a server that comes back within 30 seconds', async () => {
  silent = (port) => port === 7;
  start();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await stateOf('s-6')).toMatchObject({ status: 'OFFLINE' });
  silent = () => false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await stateOf('s-6')).toMatchObject({ status: 'ONLINE' });
});

it('is ready while checks end, and not when none does', async () => {
  start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(poller.isWorking()).toBe(true);
  await poller.stop();
  expect(poller.isWorking()).toBe(false);
  start(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(poller.isWorking()).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(poller.isWorking()).toBe(false);
});
