import { createHash } from 'node:crypto';
import { SQLite, type SQLiteDatabase } from '../../src/server/store/engine/driver.ts';

/** What says when something was written, and not what. */
const timings = new Set([
  'stamp',
  'as_of',
  'stored_at',
  'imported_at',
  'read_at',
  'error_at',
  'checked_at',
  'last_used_at',
  'created_at',
]);
/** Whether the game server answered, and when. */
const timingTables = new Set(['server_sample', 'server_state']);
/** How often or on which way something was written. */
const counts = new Set(['leaderboard_revision', 'live']);
/** Examples of lines that no rule knew are masked with the names known when they were met: for the eye only. */
const shownOnly = new Set(['examples']);

/**
 * All that a store holds but timings, table by table, with ids of its own making replaced by what they stand for: two
 * stores are alike when these are.
 */
export function storeContents(file: string): Record<string, string[]> {
  const sqlite = new SQLite(file, { readonly: true });
  try {
    // One state of the store, though somebody may be writing.
    sqlite.exec('BEGIN');
    const players = namesOf(
      sqlite,
      'SELECT id, coalesce(dayz_id, steam_id64, battleye_guid, cftools_id) AS name FROM player',
    );
    const named = {
      project_id: namesOf(sqlite, 'SELECT id, slug AS name FROM project'),
      player_id: players,
      victim_id: players,
      killer_id: players,
      run_id: namesOf(sqlite, "SELECT id, server_id || ' ' || header AS name FROM log_run"),
    };
    const tables = sqlite
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'kysely%' AND name NOT LIKE 'sqlite%' ORDER BY name",
      )
      .pluck()
      .all() as string[];
    return Object.fromEntries(
      tables
        .filter((table) => !timingTables.has(table))
        .map((table) => [table, rowsOf(sqlite, table, named)]),
    );
  } finally {
    sqlite.close();
  }
}

export function storeDigest(file: string): string {
  return createHash('sha256')
    .update(JSON.stringify(storeContents(file)))
    .digest('hex');
}

function namesOf(sqlite: SQLiteDatabase, query: string): Map<unknown, unknown> {
  return new Map(
    (sqlite.prepare(query).all() as { id: unknown; name: unknown }[]).map((row) => [row.id, row.name]),
  );
}

function rowsOf(
  sqlite: SQLiteDatabase,
  table: string,
  named: Record<string, Map<unknown, unknown>>,
): string[] {
  const rows = sqlite.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[];
  return rows
    .map((row) => {
      const entries = Object.entries(row)
        .filter(([column]) => !timings.has(column) && !counts.has(column) && !shownOnly.has(column))
        // A number of the store's own, or a random id.
        .filter(([column, value]) => column !== 'id' || (typeof value === 'string' && table !== 'project'))
        .map(([column, value]) => [column, named[column]?.get(value) ?? value]);
      return JSON.stringify(Object.fromEntries(entries));
    })
    .toSorted();
}
