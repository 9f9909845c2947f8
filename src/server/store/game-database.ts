import { closeSync, openSync, readSync } from 'node:fs';
import SQLite from 'better-sqlite3';

/** A row of a game's `Players` table, its columns as they lie there. */
export interface GamePlayerRow {
  rowid: number;
  uid: unknown;
  data: unknown;
}

/** The file is no SQLite database with the game's table, or is damaged. */
export class GameDatabaseError extends Error {
  override name = 'GameDatabaseError';
}

const busyTimeoutMs = 2_000;

export interface GamePlayers {
  rows: GamePlayerRow[];
  /** How often the file was changed, as its header says; null: it does not count that. */
  changeCounter: number | null;
}

/**
 * All players of a DayZ server's players.db. Opened for reading only and closed at once, so that it can be read while
 * the game writes; one statement sees one state of it.
 * @throws GameDatabaseError
 */
export function readGamePlayers(file: string): GamePlayers {
  let sqlite: SQLite.Database | undefined;
  try {
    sqlite = new SQLite(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    const select = sqlite.prepare(
      'SELECT rowid AS "rowid", UID AS uid, Data AS data FROM Players ORDER BY rowid',
    );
    // While a transaction is open the game writes nothing into the file.
    sqlite.exec('BEGIN');
    const rows = select.all() as GamePlayerRow[];
    return { rows, changeCounter: changeCounterOf(file) };
  } catch (error) {
    throw new GameDatabaseError((error as Error).message, { cause: error });
  } finally {
    sqlite?.close();
  }
}

const headerBytes = 28;
const writeVersionAt = 18;
const rollbackJournal = 1;
const changeCounterAt = 24;

/** From SQLite's file header. With a write-ahead log the counter does not count changes. */
function changeCounterOf(file: string): number | null {
  const header = Buffer.alloc(headerBytes);
  const descriptor = openSync(file, 'r');
  try {
    if (readSync(descriptor, header, 0, headerBytes, 0) < headerBytes) return null;
  } finally {
    closeSync(descriptor);
  }
  return header[writeVersionAt] === rollbackJournal ? header.readUInt32BE(changeCounterAt) : null;
}
