import { sql } from 'kysely';
import { isMissing } from '../engine/data-folder.ts';
import { type Database, openWriter, storeFile } from '../engine/database.ts';
import { SQLite, type SQLiteDatabase } from '../engine/driver.ts';
import { StoreError } from '../engine/error.ts';
import { lockDataFolder } from '../engine/folder-lock.ts';
import { shownUrl } from '../engine/postgres/url.ts';
import type { Table } from '../engine/schema/columns.ts';
import { tables } from '../engine/schema/schema.ts';
import { insertRows } from '../engine/table-rows.ts';
import { writeStore } from '../engine/transactions.ts';
import { migrationsOfFile, refuseOtherVersion } from '../engine/version.ts';
import type { CopyOptions } from './backup/copy-store.ts';

interface TransferOptions extends CopyOptions {
  /** The data folder with the store in SQLite. */
  from: string;
  /** URL of an empty database of PostgreSQL. */
  to: string;
  /** Path of the config, for the error message of an Outpost that is started meanwhile. */
  configFile: string;
  /** Epoch milliseconds. */
  now: number;
}

/** How many were copied. */
type Transferred = Record<'tables' | 'rows', number>;

/** Of a statement that inserts. */
const rowsAtOnce = 5_000;
/** In characters: rows of small values may be long. */
const lengthAtOnce = 2_000_000;

/**
 * Copies a store from SQLite into PostgreSQL, with tokens and what the bot keeps. It is one transaction: a copy that is
 * interrupted, at whatever moment, leaves empty tables behind.
 * @throws StoreError that says why there is no complete copy; the signal's reason
 */
export async function transferStore(options: TransferOptions): Promise<Transferred> {
  const { from, to, configFile, now } = options;
  const file = storeFile(from);
  if (isMissing(file)) {
    throw new StoreError(
      `there is nothing to copy: ${file} does not exist. Name the data folder in --from or OUTPOST_DATA.`,
    );
  }
  const lock = lockDataFolder(from, configFile, now);
  const sqlite = new SQLite(file, { readonly: true, fileMustExist: true });
  try {
    // Everything is read in one transaction, so commands beside change nothing in it.
    sqlite.exec('BEGIN');
    refuseOtherVersion(migrationsOfFile(sqlite), file);
    const { db, shared, close } = await openWriter(to);
    try {
      // Its statements may take minutes.
      return await writeStore(shared?.starting ?? db, async (tx) => await copy(sqlite, tx, options));
    } finally {
      await close();
    }
  } finally {
    sqlite.close();
    lock.release();
  }
}

async function copy(
  sqlite: SQLiteDatabase,
  tx: Database,
  { to, signal, onProgress }: TransferOptions,
): Promise<Transferred> {
  const all = Object.entries<Table>(tables);
  const total = all.reduce((sum, [name]) => sum + countRows(sqlite, name), 0);
  let done = 0;
  for (const [name, { columns }] of all) {
    await requireEmpty(tx, name, to);
    for (const rows of chunksOf(sqlite, name)) {
      signal?.throwIfAborted();
      await insertRows(tx, name as keyof typeof tables, rows as never);
      done += rows.length;
      onProgress?.({ step: 'copy', done, total });
    }
    if (columns['id']?.isNumbered === true) await continueIds(tx, name, lastIdOf(sqlite, name));
  }
  signal?.throwIfAborted();
  await sql`ANALYZE`.execute(tx);
  return { tables: all.length, rows: total };
}

const countRows = (sqlite: SQLiteDatabase, table: string): number =>
  sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;

/** @throws StoreError when a table has rows */
async function requireEmpty(tx: Database, table: string, url: string): Promise<void> {
  // The only row of this one comes with the table.
  if (table === 'rights') await sql`DELETE FROM rights WHERE revision = 0`.execute(tx);
  const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(tx);
  if (rows.length === 0) return;
  throw new StoreError(
    `the database ${shownUrl(url)} holds a store already: its table ${table} has rows. Nothing was changed. ` +
      'Create an empty database and name that.',
  );
}

type Row = Readonly<Record<string, string | number | null>>;

function* chunksOf(sqlite: SQLiteDatabase, table: string): Generator<Row[]> {
  const rows = sqlite.prepare(`SELECT * FROM ${table}`).iterate() as Iterable<Row>;
  let chunk: Row[] = [];
  let length = 0;
  for (const row of rows) {
    chunk.push(row);
    for (const value of Object.values(row)) length += typeof value === 'string' ? value.length : 0;
    if (chunk.length < rowsAtOnce && length < lengthAtOnce) continue;
    yield chunk;
    chunk = [];
    length = 0;
  }
  if (chunk.length > 0) yield chunk;
}

function lastIdOf(sqlite: SQLiteDatabase, table: string): number {
  const last = sqlite.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table);
  return (last as number | undefined) ?? 0;
}

/** Lets ids go on after the last one that SQLite gave. */
async function continueIds(tx: Database, table: string, lastId: number): Promise<void> {
  await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${lastId + 1}, false)`.execute(tx);
}
