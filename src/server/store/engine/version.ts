import { hasTable, type SQLiteDatabase } from './driver.ts';
import { version as ownVersion } from '../../../process/version.ts';
import { migrations } from './migrations/index.ts';
import { StoreError } from './error.ts';

/** A version as one number, as SQLite's `user_version` requires: `1.2.3` is 1002003. */
const encode = (version: string): number => {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  return major * 1_000_000 + minor * 1_000 + patch;
};
const decode = (encoded: number): string =>
  [Math.floor(encoded / 1_000_000), Math.floor(encoded / 1_000) % 1_000, encoded % 1_000].join('.');

/** Stores the newest version that wrote this store. `again` also writes a version that is stored already. */
export function recordVersion(sqlite: SQLiteDatabase, again = false): void {
  const stored = storedVersion(sqlite);
  const newest = Math.max(stored, encode(ownVersion));
  if (again || newest > stored) sqlite.pragma(`user_version = ${newest}`);
}

const storedVersion = (sqlite: SQLiteDatabase): number =>
  sqlite.pragma('user_version', { simple: true }) as number;

/** The migrations that were applied to a store, in order; none to a new one. */
export function appliedMigrations(sqlite: SQLiteDatabase): string[] {
  if (!hasTable(sqlite, 'kysely_migration')) return [];
  return sqlite.prepare('SELECT name FROM kysely_migration ORDER BY name').pluck().all() as string[];
}

/** Whether an earlier version made this store, and migrations are pending. */
export function needsUpdate(sqlite: SQLiteDatabase): boolean {
  const applied = appliedMigrations(sqlite);
  return applied.length > 0 && Object.keys(migrations).some((name) => !applied.includes(name));
}

/** @throws StoreError when a newer Outpost has applied migrations that this one does not have */
export function refuseNewer(sqlite: SQLiteDatabase, file: string): void {
  const unknown = appliedMigrations(sqlite).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length === 0) return;
  const stored = storedVersion(sqlite);
  const version = stored > 0 ? `version ${decode(stored)}` : 'of an unknown version';
  throw new StoreError(
    `the database ${file} was made by a newer Outpost: ${version}; this is ${ownVersion}. ` +
      'Start that version or a newer one, or restore a backup from before the update ("outpost restore").',
  );
}
