import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sql } from 'kysely';
import { addBan } from '../../../../src/server/ingest/bans/by-hand.ts';
import { openWriter, storeFile, type Database } from '../../../../src/server/store/engine/database.ts';
import { lockDataFolder } from '../../../../src/server/store/engine/folder-lock.ts';
import { openValuesOf } from '../../../harness/small-values.ts';
import { forgetPlayer } from '../../../../src/server/store/repositories/rights/forget-player.ts';
import { tables } from '../../../../src/server/store/engine/schema/schema.ts';
import type { StepProgress } from '../../../../src/server/store/operations/backup/copy-store.ts';
import { transferStore } from '../../../../src/server/store/operations/transfer-store.ts';
import { importLogs } from '../../../harness/logs.ts';
import { newDatabase } from '../../../harness/new-store.ts';
import { onServer } from '../../../harness/postgres-databases.ts';
import { sampleLogs, sampleServers, steamA, steamB, temporaryFolder } from '../../ingest/fixture.ts';
import { fillDataFolder, messageId, now } from './backup/backup-world.ts';

const options = { busyTimeoutMs: 10_000 };

/** An empty database. */
async function emptyDatabase(): Promise<string> {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  return url;
}

const transfer = async (from: string, to: string, more: Partial<Parameters<typeof transferStore>[0]> = {}) =>
  await transferStore({ from, to, configFile: '', now, ...more });

async function withStore<T>(location: string, work: (db: Database) => Promise<T>): Promise<T> {
  const { db, close } = await openWriter(location, options);
  try {
    return await work(db);
  } finally {
    await close();
  }
}

/** Reads each table of a store by itself: its rows, as text. */
async function tablesOf(db: Database, names: readonly string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const name of names) {
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(name)}`.execute(db);
    found[name] = rows.map((row) => JSON.stringify(row, Object.keys(row).toSorted())).toSorted();
  }
  return found;
}

const names = Object.keys(tables);

/** A data folder with every sample log, bans, a forgotten player, and what a bot keeps. */
async function fillWithSamples(folder: string): Promise<void> {
  await fillDataFolder(folder);
  await withStore(storeFile(folder), async (db) => {
    const { id: project_id } = await db
      .selectFrom('project')
      .select('id')
      .where('slug', '=', 'northwood')
      .executeTakeFirstOrThrow();
    for (const [position, id] of sampleServers.entries()) {
      const row = { project_id, position: 100 + position, name: id, game: 'dayz', host: 'h', port: 1 };
      await db
        .insertInto('server')
        .values({ id, ...row, query_port: null, timezone: 'UTC', files_at: null, active: 1 })
        .execute();
      await importLogs(db, { serverId: id, files: sampleLogs(id) });
    }
    const said = { category: 'CHEATING', reason: 'speed, "hack"', expiresAt: null, now: () => now } as const;
    for (const value of [steamA, steamB]) {
      await addBan(db, { listId: 'northwood-bans', player: { kind: 'steamId64', value }, ...said });
    }
    await forgetPlayer(db, { identity: { steamId64: steamB } });
  });
}

describe('copying a store into PostgreSQL', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outpost-transfer-'));
    await fillWithSamples(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('copies every row of every table, and everything goes on from there', async () => {
    const to = await emptyDatabase();
    const steps: StepProgress[] = [];
    const result = await transfer(folder, to, { onProgress: (progress) => steps.push(progress) });
    const expected = await withStore(storeFile(folder), async (db) => await tablesOf(db, names));
    const rows = Object.values(expected).reduce((sum, { length }) => sum + length, 0);
    expect(result).toEqual({ tables: names.length, rows });
    expect(steps.at(-1)).toEqual({ step: 'copy', done: rows, total: rows });
    expect(expected['death']?.length).toBeGreaterThan(50);

    await withStore(to, async (db) => {
      expect(await tablesOf(db, names)).toEqual(expected);
      // Ids go on.
      const [known] = await db.selectFrom('death').selectAll().orderBy('id', 'desc').limit(1).execute();
      const { id: _, ...row } = known as NonNullable<typeof known>;
      const added = await db
        .insertInto('death')
        .values({ ...row, number: 1_000 })
        .returning('id')
        .executeTakeFirstOrThrow();
      expect(added.id).toBeGreaterThan(known?.id ?? Infinity);
    });
    const small = await openValuesOf(to);
    expect(await small.of('bot').get('status:1:0')).toMatchObject({ messageId });
    expect(await small.of('tokens').get('ops_secret-token-value')).toEqual({ applicationId: 'app' });
    await small.close();
  });

  test('that was stopped at any moment leaves nothing behind, and is complete when it is run again', async () => {
    const to = await emptyDatabase();
    const total = (await transfer(folder, await emptyDatabase())).rows;
    for (const least of [0, total / 5, (2 * total) / 5, (4 * total) / 5, total]) {
      const stop = new AbortController();
      const onProgress = ({ done }: StepProgress): void => {
        if (done >= least) stop.abort(new Error('stopped here'));
      };
      await expect(transfer(folder, to, { signal: stop.signal, onProgress })).rejects.toThrow('stopped here');
      expect(await onServer(to, 'SELECT FROM project UNION ALL SELECT FROM keyv')).toEqual([]);
    }
    await transfer(folder, to);
    const expected = await withStore(storeFile(folder), async (db) => await tablesOf(db, names));
    expect(await withStore(to, async (db) => await tablesOf(db, names))).toEqual(expected);
  });

  test('is refused where the database holds a store', async () => {
    const used = await emptyDatabase();
    await transfer(folder, used);
    await expect(transfer(folder, used)).rejects.toThrow(/holds a store already: its table \w+ has rows/);
  });

  test('is refused while Outpost runs on the data folder, and where there is no store', async () => {
    const to = await emptyDatabase();
    const lock = lockDataFolder(folder, '', now);
    await expect(transfer(folder, to)).rejects.toThrow(/another Outpost is running on the data folder/);
    lock.release();
    await expect(transfer(temporaryFolder(), to)).rejects.toThrow(/nothing to copy/);
    expect(await onServer(to, `SELECT relname FROM pg_class WHERE relname = 'player'`)).toEqual([]);
  });
});
