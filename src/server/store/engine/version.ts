import { sql } from 'kysely';
import { version } from '../../../process/version.ts';
import type { Reader } from './connections.ts';
import { hasTable, type SQLiteDatabase } from './driver.ts';
import { StoreError } from './error.ts';
import { migrations } from './migrations.ts';

/** The migrations that were applied to a file, in order; none to a new one. */
export function migrationsOfFile(sqlite: SQLiteDatabase): string[] {
  if (!hasTable(sqlite, 'kysely_migration')) return [];
  return sqlite.prepare('SELECT name FROM kysely_migration ORDER BY name').pluck().all() as string[];
}

export async function migrationsOnPostgres(db: Reader): Promise<string[]> {
  const found = await sql<{ table: string | null }>`
    SELECT to_regclass('kysely_migration')::text AS "table"
  `.execute(db as never);
  if ((found.rows[0]?.table ?? null) === null) return [];
  const applied = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(
    db as never,
  );
  return applied.rows.map(({ name }) => name);
}

/** What made tables before the release of 1.0.0. */
const beforeFirstRelease = /^\d{4}-|^1\.0\.0-/;

/** @param store its path or URL, for the error @throws StoreError when another version has made the tables */
export function refuseOtherVersion(applied: readonly string[], store: string): void {
  const unknown = applied.find((name) => !Object.hasOwn(migrations.sqlite, name));
  if (unknown === undefined) return;
  throw new StoreError(
    beforeFirstRelease.test(unknown)
      ? `the store ${store} was made before Outpost 1.0.0, which cannot read it. Start with a new data folder or database, ` +
          'then import the logs with "outpost import adm".'
      : `the store ${store} was made by a newer Outpost (migration ${unknown}); this is ${version}. ` +
          'Start that version or a newer one, or restore a backup from before the update.',
  );
}
