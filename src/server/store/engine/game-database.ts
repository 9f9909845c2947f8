import type { PlayerRow } from 'dayz-files';
import { type SQLiteDatabase, withSqlite } from './driver.ts';

/** The file is damaged, or is not a SQLite database with the game's table. */
export class GameDatabaseError extends Error {
  override name = 'GameDatabaseError';
}

/**
 * Reads all players of a DayZ server's players.db.
 * @param content of the file, read between two writes of the game; it is modified
 * @throws GameDatabaseError
 */
export function readGamePlayers(content: Buffer): PlayerRow[] {
  // The game creates the file before its table.
  if (content.length === 0) return [];
  try {
    // A copy in memory has no write-ahead log beside it.
    if (content[writeVersionAt] === writeAheadLog) {
      content[writeVersionAt] = content[readVersionAt] = rollbackJournal;
    }
    requireSmallSchema(content);
    return withSqlite(content, {}, (sqlite) => {
      requirePlainTable(sqlite);
      const damage = sqlite.pragma('quick_check(Players)', { simple: true });
      if (damage !== 'ok') throw new Error(`it is damaged: ${String(damage).slice(0, 200)}`);
      return readRows(sqlite, content.length);
    });
  } catch (error) {
    throw new GameDatabaseError((error as Error).message, { cause: error });
  }
}

/*
 * What a schema says is computed while the file is read, without a limit that this thread could set. So only what the game
 * writes is read: a table whose values lie in the file.
 */

/** A schema of more than a page may lead to the same pages again and again, before SQLite can check that it does not. */
function requireSmallSchema(content: Buffer): void {
  const isOther = content.length > schemaKindAt && content[schemaKindAt] !== leafOfTable;
  if (isOther && content.toString('latin1', 0, magic.length) === magic) {
    throw new Error('its schema is larger than that of the game');
  }
}

/** A view, a virtual table, computed columns and constraints compute what they like. */
function requirePlainTable(sqlite: SQLiteDatabase): void {
  const named =
    "SELECT type = 'table' AND rootpage > 0 FROM sqlite_schema WHERE name = 'Players' COLLATE NOCASE";
  const isTable = sqlite.prepare(named).pluck().get();
  if (isTable === undefined) throw new Error('no such table: Players');
  const computed = "SELECT 1 FROM pragma_table_xinfo('Players') WHERE hidden <> 0";
  if (isTable !== 1 || sqlite.prepare(computed).get() !== undefined) {
    throw new Error('its Players is not the table of the game');
  }
  sqlite.pragma('ignore_check_constraints = ON');
}

/** @param most bytes of all rows: the schema has a default once, which fills any number of them */
function readRows(sqlite: SQLiteDatabase, most: number): PlayerRow[] {
  const players = 'SELECT rowid AS "rowid", UID AS uid, Data AS data FROM Players ORDER BY rowid';
  const rows: PlayerRow[] = [];
  let bytes = 0;
  for (const row of sqlite.prepare(players).iterate() as Iterable<PlayerRow>) {
    bytes += sizeOf(row.uid) + sizeOf(row.data);
    if (bytes > most) throw new Error('its rows hold more than the file');
    rows.push(row);
  }
  return rows;
}

/** Of a text less than its bytes, which is less than a row takes in the file. */
const sizeOf = (value: unknown): number =>
  typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 0;

/** The part of SQLite's file header that is read. Source: sqlite.org/fileformat2.html#the_database_header */
const magic = 'SQLite format 3\0';
/** Of the first page, whose b-tree is the schema, after a header of 100 bytes. */
const schemaKindAt = 100;
const leafOfTable = 0x0d;
const writeVersionAt = 18;
const readVersionAt = 19;
const rollbackJournal = 1;
const writeAheadLog = 2;
