import { sql } from 'kysely';
import type { Database } from '../../src/server/store/engine/database.ts';
import { SQLite } from '../../src/server/store/engine/driver.ts';

/** What says when something was written, and not what. */
const timings = new Set([
  'stamp',
  'as_of',
  'stored_at',
  'imported_at',
  'read_at',
  'checked_at',
  'last_used_at',
  'created_at',
]);
/**
 * Whether the game server answered, and when; tokens and their key; who came on in lines that were read while the log
 * grew.
 */
const timingTables = new Set(['server_sample', 'server_state', 'keyv', 'stay']);
/** On which way something was written. */
const counts = new Set(['live']);

type Row = Record<string, unknown>;

/**
 * All that a store holds but timings, table by table, with ids of its own making replaced by what they stand for: two
 * stores are alike when these are.
 */
export function storeContents(file: string): Record<string, string[]> {
  const sqlite = new SQLite(file, { readonly: true });
  try {
    // One state of the store, though somebody may be writing.
    sqlite.exec('BEGIN');
    const tables = sqlite
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .pluck()
      .all() as string[];
    return contentsOf(
      new Map(tables.map((table) => [table, sqlite.prepare(`SELECT * FROM "${table}"`).all() as Row[]])),
    );
  } finally {
    sqlite.close();
  }
}

/** The same of an open store on either engine. */
export async function databaseContents(db: Database): Promise<Record<string, string[]>> {
  const tables = await db.transaction().execute(async (tx) => {
    const read = new Map<string, Row[]>();
    for (const { name } of await tx.introspection.getTables()) {
      read.set(name, (await sql<Row>`SELECT * FROM ${sql.table(name)}`.execute(tx)).rows);
    }
    return read;
  });
  // Not in the transaction, which would end on a slow machine meanwhile.
  return contentsOf(tables);
}

function contentsOf(tables: ReadonlyMap<string, readonly Row[]>): Record<string, string[]> {
  const namesOf = (table: string, nameOf: (row: Row) => unknown): Map<unknown, unknown> =>
    new Map(tables.get(table)?.map((row) => [row['id'], nameOf(row)]));
  const players = namesOf(
    'player',
    (row) => row['dayz_id'] ?? row['steam_id64'] ?? row['battleye_guid'] ?? row['cftools_id'],
  );
  const named = {
    project_id: namesOf('project', ({ slug }) => slug),
    player_id: players,
    victim_id: players,
    killer_id: players,
    run_id: namesOf('log_run', (row) => JSON.stringify([row['server_id'], row['header']])),
  };
  return Object.fromEntries(
    [...tables]
      .filter(([table]) => !timingTables.has(table) && !/^(?:kysely|sqlite)/.test(table))
      .map(([table, rows]) => [table, shownRows(table, rows, named)]),
  );
}

function shownRows(
  table: string,
  rows: readonly Row[],
  named: Record<string, Map<unknown, unknown>>,
): string[] {
  return rows
    .map((row) => {
      const entries = Object.entries(row)
        .filter(([column]) => !timings.has(column) && !counts.has(column))
        // A number of the store's own, or a random id.
        .filter(([column, value]) => column !== 'id' || (typeof value === 'string' && table !== 'project'))
        .map(([column, value]) => [column, named[column]?.get(value) ?? withoutIdentity(column, value)]);
      return JSON.stringify(Object.fromEntries(entries));
    })
    .toSorted();
}

/** The same file has another identity elsewhere. */
function withoutIdentity(column: string, value: unknown): unknown {
  if (column !== 'marks' || typeof value !== 'string') return value;
  return JSON.stringify({ ...(JSON.parse(value) as Row), identity: undefined });
}
