import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/process/clock.ts';
import { openDirect } from '../../../../src/server/files/direct-files.ts';
import { adminLog } from '../../../../src/server/games/dayz/admin-log.ts';
import { LocalZone } from '../../../../src/server/ingest/logs/formats/local-clock.ts';
import { LogCounter } from '../../../../src/server/ingest/logs/reading/log-counter.ts';
import {
  projectWriter,
  transactionsAtOnce,
} from '../../../../src/server/ingest/logs/writing/project-writer.ts';
import { readToEnd } from '../../../../src/server/ingest/logs/reading/read-to-end.ts';
import type { ServerParts } from '../../../../src/server/ingest/logs/writing/server-parts.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { StoreUnavailable } from '../../../../src/server/store/engine/error.ts';
import type { LogFile } from '../../../../src/server/store/repositories/logs/log-files.ts';
import { refreshStale } from '../../../../src/server/store/repositories/players/stale-statistics.ts';
import { readForgottenList } from '../../../../src/server/store/repositories/rights/forgotten-list.ts';
import { idA, run, statsOf, temporaryFiles, temporaryStore } from '../fixture.ts';

/** Each moment is another one, and stored as that of a transaction. */
function moments(): () => number {
  let last = 0;
  return () => (last += 1);
}

const file: LogFile = {
  path: '/logs/a.ADM',
  stamp: '',
  position: 10,
  skipping: false,
  marks: null,
  lines: 1,
  unreadLines: 0,
  unreadKinds: [],
  lastEventAt: null,
  checkpoint: null,
  missing: [],
  versions: { counts: 1, identities: 1 },
};

/** A log of one player's death, read of a server. */
async function read(
  db: Database,
  serverId: string,
  now: () => number,
  from: Pick<LogFile, 'position'> | null = null,
): Promise<ServerParts> {
  const forgotten = await readForgottenList(db);
  const counter = new LogCounter(adminLog, { zone: new LocalZone('UTC'), forgotten });
  const died = `12:00:01 | Player "Ann" (DEAD) (id=${idA} pos=<1.0, 2.0, 3.0>) died. Stats> Water: 1 Energy: 1 Bleed sources: 0`;
  const source = openDirect(temporaryFiles({ 'a.ADM': run(died) })[0] ?? '');
  await readToEnd(source, counter);
  source.close();
  const part = { fileName: 'a.ADM', changes: counter.take(true), file: { now: file, previous: from } };
  return {
    db,
    serverId,
    timezone: 'UTC',
    forgotten,
    parts: [part],
    isBacklog: false,
    now,
    monotonic: systemClock.monotonic,
  };
}

/** When the runs of each server were stored. */
const storedAt = async (db: Database): Promise<Record<string, number>> => {
  const rows = await db.selectFrom('log_run').select(['server_id', 'imported_at']).execute();
  return Object.fromEntries(rows.map((row) => [row.server_id, row.imported_at]));
};

test('what several servers of a project bring while one is stored is stored in one transaction', async () => {
  const servers = ['a', 'b', 'c', 'd'];
  const db = await temporaryStore(servers);
  const now = moments();
  const parts = await Promise.all(servers.map(async (id) => await read(db, id, now)));
  const writer = projectWriter(db, 'p');
  const [a, ...others] = parts as [ServerParts, ...ServerParts[]];
  const first = writer.store(a);
  await setImmediate();
  const stored = await Promise.all([first, ...others.map(async (one) => await writer.store(one))]);
  expect(await storedAt(db)).toEqual({ a: 1, b: 2, c: 2, d: 2 });
  expect(stored.map(({ outcomes }) => outcomes.map(([, , outcome]) => outcome))).toEqual(
    servers.map(() => ['new']),
  );
  // The first log of a server leaves the figures of its players to be computed.
  await refreshStale(db);
  // One person on four servers.
  expect((await statsOf(db, idA))?.deaths).toBe(4);
  expect(await db.selectFrom('player_alias').select('server_id').orderBy('server_id').execute()).toEqual(
    servers.map((server_id) => ({ server_id })),
  );
});

test('what cannot be stored of one server keeps back nothing of the others', async () => {
  const db = await temporaryStore(['a', 'b', 'c', 'd']);
  const now = moments();
  const [a, b, c, d] = await Promise.all([
    read(db, 'a', now),
    read(db, 'b', now),
    // Another process has read it from there to elsewhere.
    read(db, 'c', now, { position: 5 }),
    read(db, 'd', now),
  ]);
  const writer = projectWriter(db, 'p');
  const results = await Promise.allSettled([a, b, c, d].map(async (one) => await writer.store(one)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect((results[2] as PromiseRejectedResult).reason).toMatchObject({
    message: '/logs/a.ADM is being read by another process, too',
  });
  expect(Object.keys(await storedAt(db)).toSorted()).toEqual(['a', 'b', 'd']);
  await refreshStale(db);
  expect((await statsOf(db, idA))?.deaths).toBe(3);
});

test('what waits for a store that is away fails with the first that finds that out', async () => {
  const real = await temporaryStore(['a']);
  const parts = await read(real, 'a', moments());
  let begun = 0;
  let fail: (error: unknown) => void = () => undefined;
  const execute = async () => {
    begun += 1;
    return await new Promise((_, reject) => (fail = reject));
  };
  const db = { transaction: () => ({ execute }) } as unknown as Database;
  const projects = Array.from({ length: transactionsAtOnce + 2 }, (_, at) => `p${at}`);
  const results = projects.map(async (id) => await projectWriter(db, id).store({ ...parts, db }));
  await expect.poll(() => begun).toBe(transactionsAtOnce);
  fail(new StoreUnavailable('away'));
  const waiting = results.slice(transactionsAtOnce);
  expect(await Promise.allSettled(waiting)).toEqual(
    waiting.map(() => ({ status: 'rejected', reason: expect.objectContaining({ message: 'away' }) })),
  );
  expect(begun).toBe(transactionsAtOnce);
  void Promise.allSettled(results);
});
