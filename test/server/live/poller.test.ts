import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { startSimulatedGameServer, type SimulatedGameServer } from '../../../src/demo/game-server.ts';
import { Poller } from '../../../src/server/live/poller.ts';
import { createQuery, QueryError, type QueryServer } from '../../../src/server/live/query.ts';
import { openWriter, type WriteDatabase } from '../../../src/server/store/engine/database.ts';
import { reconcile } from '../../../src/server/store/repositories/projects/reconcile.ts';
import { type ServerState } from '../../../src/server/store/repositories/projects/servers.ts';
import { findServerState } from '../../harness/server-states.ts';

let folder: string;
let writer: WriteDatabase;
let game: SimulatedGameServer;
let poller: Poller;
let clock: number;
const logged: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-poller-'));
  writer = await openWriter(join(folder, 'outpost.sqlite'));
  game = await startSimulatedGameServer({ name: 'N', map: 'chernarusplus', maxPlayers: 60, players: 5 });
  const server = { id: 's', name: 'S', host: '127.0.0.1', port: 2302, queryPort: game.port };
  await reconcile(writer.db, configSchema.parse({ projects: [{ slug: 'p', name: 'P', servers: [server] }] }));
  clock = Date.parse('2026-03-01T12:00:10.000Z');
  logged.length = 0;
});
afterEach(async () => {
  await poller.stop();
  await game.close();
  await writer.close();
  await rm(folder, { recursive: true, force: true });
});

function start(query: QueryServer = createQuery({ now: () => clock, socketTimeoutMs: 150 })): void {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  // Once a day: the tests poll by themselves.
  poller = new Poller({ db: writer.db, check: query, log, periodMs: 86_400_000, now: () => clock });
}
const state = (): Promise<ServerState | null> => findServerState(writer.db, 's');

it('stores what a server answers as soon as it starts', async () => {
  start();
  await poller.poll();
  expect(await state()).toEqual({
    status: 'ONLINE',
    map: 'chernarusplus',
    players: 5,
    maxPlayers: 60,
    checkedAt: clock,
  });
});

it('takes a second failure for OFFLINE, keeps no stale count, and sees the server come back', async () => {
  start();
  await poller.poll();
  game.isOnline = false;
  const seen = clock;
  clock += 15_000;
  await poller.poll();
  expect(await state()).toMatchObject({ status: 'ONLINE', players: 5, checkedAt: seen });
  clock += 15_000;
  await poller.poll();
  expect(await state()).toEqual({
    status: 'OFFLINE',
    map: 'chernarusplus',
    players: null,
    maxPlayers: 60,
    checkedAt: clock,
  });
  game.isOnline = true;
  await poller.poll();
  expect(await state()).toMatchObject({ status: 'ONLINE', players: 5 });
});

it('stays ONLINE when single failures come apart from each other', async () => {
  const silence = new QueryError('no_answer', new Error('timed out'));
  const answers = [null, silence, null, silence, null, silence];
  let asked = 0;
  start(async () => {
    const answer = answers[asked % answers.length];
    asked += 1;
    if (answer) throw answer;
    return { map: 'enoch', players: 1, maxPlayers: 2, queue: null, listed: [], observedAt: clock };
  });
  for (let index = 0; index < answers.length; index += 1) {
    await poller.poll();
    expect((await state())?.status ?? 'ONLINE').toBe('ONLINE');
  }
});

it('stores nothing any more once it is stopped', async () => {
  let answer: (() => void) | undefined;
  start(async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return { map: 'enoch', players: 1, maxPlayers: 2, queue: null, listed: [], observedAt: clock };
  });
  await expect.poll(() => answer).toBeDefined();
  const polled = poller.poll();
  await poller.stop();
  answer?.();
  await polled;
  expect(await state()).toBeNull();
});

it('logs once that states cannot be stored, until they can again', async () => {
  start();
  await poller.poll();
  const failures = (): string[] => logged.filter((line) => line.includes('could not be stored'));
  for (const times of [1, 2]) {
    await sql`ALTER TABLE server_state RENAME TO away`.execute(writer.db);
    for (let second = 0; second < 3; second += 1) await poller.poll();
    expect(failures()).toHaveLength(times);
    await sql`ALTER TABLE away RENAME TO server_state`.execute(writer.db);
    await poller.poll();
  }
  expect(failures()).toHaveLength(2);
});

it('calls a server whose answers cannot be read UNKNOWN, since that proves neither state', async () => {
  start(() => Promise.reject(new QueryError('unreadable', new Error('bad bytes'))));
  await poller.poll();
  expect(await state()).toBeNull();
  await poller.poll();
  expect(await state()).toMatchObject({ status: 'UNKNOWN', players: null });
});

it('never calls a server OFFLINE that could not be asked', async () => {
  const [silent, notAsked] = (['no_answer', 'not_asked'] as const).map(
    (reason) => new QueryError(reason, new Error('timed out')),
  );
  const failures = [silent, notAsked, silent, notAsked, notAsked, silent];
  let asked = 0;
  start(() => Promise.reject(failures[asked++]));
  for (const _ of failures) {
    await poller.poll();
    expect((await state())?.status).not.toBe('OFFLINE');
  }
  expect((await state())?.status).toBe('UNKNOWN');
});

it('calls a server without a query port OFFLINE only once it has answered, also after a restart', async () => {
  const server = { id: 's', name: 'S', host: '127.0.0.1', port: 2302 };
  await reconcile(writer.db, configSchema.parse({ projects: [{ slug: 'p', name: 'P', servers: [server] }] }));
  let isUp = false;
  const query: QueryServer = async () => {
    if (!isUp) throw new QueryError('no_answer', new Error('timed out'));
    return { map: 'enoch', players: 1, maxPlayers: 2, queue: null, listed: [], observedAt: clock };
  };
  const twice = async (): Promise<void> => {
    await poller.poll();
    await poller.poll();
  };
  start(query);
  await twice();
  expect(await state()).toMatchObject({ status: 'UNKNOWN', checkedAt: clock });
  await poller.stop();
  start(query);
  await twice();
  expect(await state()).toMatchObject({ status: 'UNKNOWN' });
  isUp = true;
  await poller.poll();
  isUp = false;
  await twice();
  expect(await state()).toMatchObject({ status: 'OFFLINE' });
  await poller.stop();
  start(query);
  await twice();
  expect(await state()).toMatchObject({ status: 'OFFLINE', map: 'enoch' });
});

it('records one sample a minute, with a gap while the server is away', async () => {
  start();
  await poller.poll();
  clock += 20_000;
  game.setPlayers(7);
  await poller.poll();
  clock += 60_000;
  game.isOnline = false;
  await poller.poll();
  await poller.poll();
  const samples = await writer.db.selectFrom('server_sample').selectAll().orderBy('sampled_at').execute();
  expect(
    samples.map(({ sampled_at, players }) => [new Date(sampled_at).toISOString().slice(11, 16), players]),
  ).toEqual([
    ['12:00', 7],
    ['12:01', null],
  ]);
});

it('logs an outage once, not at each check', async () => {
  start();
  game.isOnline = false;
  for (let index = 0; index < 4; index += 1) await poller.poll();
  expect(logged.filter((line) => line.includes('server check failed'))).toHaveLength(1);
});
