import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompiledQuery, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  openReader,
  openWriter,
  type ReadDatabase,
  type WriteDatabase,
} from '../../../src/server/store/engine/database.ts';

let folder: string;
let writer: WriteDatabase;
let reader: ReadDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-read-only-'));
  writer = await openWriter(join(folder, 'outpost.sqlite'));
  reader = openReader(join(folder, 'outpost.sqlite'));
});
afterAll(async () => {
  await reader.close();
  await writer.close();
  await rm(folder, { recursive: true, force: true });
});

/** The service's own connection, with the lid off. */
const run = (sql: string): Promise<unknown> =>
  (reader.db as unknown as Kysely<unknown>).executeQuery(CompiledQuery.raw(sql));

const tables = 'project server server_state schedule application player player_stats ban_list ban'.split(' ');

it.each([
  ...tables.flatMap((table) => [
    `INSERT INTO ${table} DEFAULT VALUES`,
    `REPLACE INTO ${table} DEFAULT VALUES`,
    `UPDATE ${table} SET rowid = rowid`,
    `DELETE FROM ${table}`,
    `DROP TABLE ${table}`,
    `ALTER TABLE ${table} ADD COLUMN more TEXT`,
    `CREATE TRIGGER t_${table} AFTER INSERT ON ${table} BEGIN SELECT 1; END`,
  ]),
  'WITH one AS (SELECT 1) INSERT INTO ban_list SELECT * FROM ban_list',
  'CREATE TABLE another (a)',
  'CREATE VIEW another AS SELECT 1',
  'CREATE INDEX another ON player (name)',
  'CREATE VIRTUAL TABLE another USING fts5(a)',
  'DROP INDEX ban_newest',
  'BEGIN IMMEDIATE',
  'BEGIN EXCLUSIVE',
  'PRAGMA user_version = 7',
  'PRAGMA application_id = 7',
  'REINDEX',
  'ANALYZE',
  'VACUUM',
])('the connection of the service refuses: %s', async (sql) => {
  await expect(run(sql)).rejects.toThrow(/readonly database|query_only/);
});

it('the connection of the service stays read-only, even after a pragma that says otherwise', async () => {
  await run('PRAGMA query_only = OFF').catch(() => undefined);
  await expect(run('DELETE FROM ban')).rejects.toThrow(/readonly/);
  await run('PRAGMA query_only = ON');
});

it('no module of the service’s HTTP side can open or name a writer', () => {
  const http = fileURLToPath(new URL('../../../src/server/http/', import.meta.url));
  const modules = readdirSync(http, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(modules.length).toBeGreaterThan(20);
  const writing = modules.filter((name) => {
    const text = readFileSync(join(http, name), 'utf8');
    const imports = [...text.matchAll(/import[^;]*from '[^']*\/store\/[^']*'/g)]
      .map(([found]) => found)
      .join('\n');
    return /\b(openWriter|WriteDatabase|Database|save\w+|create\w+|rotate\w+|revoke\w+|reconcile|lift\w+)\b/.test(
      imports.replaceAll('ReadDatabase', ''),
    );
  });
  expect(writing).toEqual([]);
});
