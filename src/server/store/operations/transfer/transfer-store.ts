import { isMissing } from '../../engine/data-folder.ts';
import { openWriter, storeFile } from '../../engine/database.ts';
import { SQLite, type SQLiteDatabase } from '../../engine/driver.ts';
import { StoreError } from '../../engine/error.ts';
import { lockDataFolder } from '../../engine/folder-lock.ts';
import { openingProblem } from '../../engine/postgres/errors.ts';
import { endPool, openPool } from '../../engine/postgres/pool.ts';
import { shownUrl } from '../../engine/postgres/url.ts';
import { migrationsOfFile, refuseOtherVersion } from '../../engine/version.ts';
import { quoted, sourceTables, type SourceTable } from './source-tables.ts';

export interface TransferProgress {
  step: 'copy';
  /** Rows. */
  done: number;
  total: number;
}

export interface TransferOptions {
  /** The data folder with the store in SQLite. */
  from: string;
  /** URL of an empty database of PostgreSQL. */
  to: string;
  /** Path of the config, for the error message of an Outpost that is started meanwhile. */
  configFile: string;
  /** Epoch milliseconds. */
  now: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: TransferProgress) => void) | undefined;
}

interface Transferred {
  tables: number;
  rows: number;
}

/** Sends a statement to the database into which the store is copied. @throws StoreError */
type Query = <Result>(statement: string, values?: readonly unknown[]) => Promise<Result[]>;

const busyTimeoutMs = 10_000;
/** Of a statement that inserts. */
const rowsAtOnce = 5_000;
/** In characters: rows of small values may be long. */
const lengthAtOnce = 2_000_000;

/**
 * Copies a store from SQLite into PostgreSQL, with tokens and what the bot keeps. It is one transaction: a copy that is
 * interrupted, at whatever moment, leaves nothing behind.
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
  const sqlite = new SQLite(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
  const pool = openPool(to, 1);
  try {
    // Everything is read in one transaction, so commands beside change nothing in it.
    sqlite.exec('BEGIN');
    refuseOtherVersion(migrationsOfFile(sqlite), file);
    const tables = sourceTables(sqlite);
    const explained = (error: unknown): never => {
      throw openingProblem(to, error);
    };
    const target = await pool.connect().catch(explained);
    const query: Query = async <Result>(statement: string, values?: readonly unknown[]) =>
      (await target.query(statement, values && [...values]).catch(explained)).rows as Result[];
    try {
      await requireEmpty(query, tables, to);
      // Opening it for writing creates its tables.
      await (await openWriter(to, { busyTimeoutMs })).close();
      return await copy(sqlite, tables, query, options);
    } finally {
      // Rolls back what is not committed.
      target.release(true);
    }
  } finally {
    sqlite.close();
    await endPool(pool);
    lock.release();
  }
}

/** @throws StoreError when the database holds anything but the tables of a store, without rows */
async function requireEmpty(query: Query, tables: readonly SourceTable[], url: string): Promise<void> {
  const refuse = (found: string): never => {
    throw new StoreError(
      `the database ${shownUrl(url)} ${found}. Nothing was changed. Create an empty database and name that.`,
    );
  };
  const there = (await query<{ name: string }>(tablesStatement)).map(({ name }) => name);
  if (there.length > 0 && !there.includes('kysely_migration'))
    refuse(`has other tables, such as ${there[0]}`);
  for (const { name } of tables) {
    // The only row of this one comes with the table.
    const held = name === 'rights' ? 'rights WHERE revision > 0' : quoted(name);
    if (!there.includes(name)) continue;
    if ((await query(`SELECT FROM ${held} LIMIT 1`)).length > 0)
      refuse(`holds a store already: its table ${name} has rows`);
  }
}

const tablesStatement = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  ORDER BY relname
`;

async function copy(
  sqlite: SQLiteDatabase,
  tables: readonly SourceTable[],
  query: Query,
  { to, signal, onProgress }: TransferOptions,
): Promise<Transferred> {
  const all = tables.map(({ name }) => quoted(name)).join(', ');
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  await query('BEGIN');
  await query("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '10s'");
  await query('SET LOCAL idle_in_transaction_session_timeout = 0');
  // Until the end nobody else reads or writes the tables.
  await query(`LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE`);
  await requireEmpty(query, tables, to);
  await query(`TRUNCATE ${all}`);
  // The rows hold already what triggers would count.
  await switchTriggers(query, tables, 'DISABLE');
  for (const table of tables) {
    for (const rows of chunksOf(sqlite, table)) {
      signal?.throwIfAborted();
      await insert(query, table, rows);
      done += rows.length;
      onProgress?.({ step: 'copy', done, total });
    }
    await requireAll(query, table);
    await continueIds(query, table);
  }
  signal?.throwIfAborted();
  await query(`ANALYZE ${all}`);
  await switchTriggers(query, tables, 'ENABLE');
  await query('COMMIT');
  return { tables: tables.length, rows: total };
}

async function switchTriggers(
  query: Query,
  tables: readonly SourceTable[],
  to: 'DISABLE' | 'ENABLE',
): Promise<void> {
  for (const { name } of tables) await query(`ALTER TABLE ${quoted(name)} ${to} TRIGGER USER`);
}

type Row = readonly (string | number | null)[];

function* chunksOf(sqlite: SQLiteDatabase, { name, columns }: SourceTable): Generator<Row[]> {
  const list = columns.map((column) => quoted(column.name)).join(', ');
  const rows = sqlite
    .prepare(`SELECT ${list} FROM ${quoted(name)}`)
    .raw()
    .iterate() as Iterable<Row>;
  let chunk: Row[] = [];
  let length = 0;
  for (const row of rows) {
    chunk.push(row);
    for (const value of row) length += typeof value === 'string' ? value.length : 0;
    if (chunk.length < rowsAtOnce && length < lengthAtOnce) continue;
    yield chunk;
    chunk = [];
    length = 0;
  }
  if (chunk.length > 0) yield chunk;
}

async function insert(
  query: Query,
  { name: table, columns }: SourceTable,
  rows: readonly Row[],
): Promise<void> {
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  const values = columns.map((_, index) => rows.map((row) => row[index] ?? null));
  const statement = `INSERT INTO ${quoted(table)} (${names}) SELECT ${names} FROM unnest(${arrays}) AS new (${names})`;
  await query(statement, values).catch((error: unknown) => {
    const problem = `cannot copy the table ${table}: ${(error as Error).message} Nothing was changed.`;
    throw new StoreError(problem, { cause: error });
  });
}

/** @throws StoreError when PostgreSQL has another number of rows */
async function requireAll(query: Query, { name, rows }: SourceTable): Promise<void> {
  const [counted] = await query<{ rows: number }>(`SELECT count(*) AS rows FROM ${quoted(name)}`);
  const copied = counted?.rows ?? 0;
  if (copied === rows) return;
  throw new StoreError(
    `the copy of the table ${name} has ${copied} rows, the store has ${rows}. Nothing was changed.`,
  );
}

/** Lets ids go on after the last one that SQLite gave. */
async function continueIds(query: Query, { name, lastId }: SourceTable): Promise<void> {
  if (lastId === null) return;
  await query(
    `SELECT setval(found, greatest($2::bigint, 1), $2::bigint > 0)
      FROM pg_get_serial_sequence($1, 'id') AS found WHERE found IS NOT NULL`,
    [name, lastId],
  );
}
