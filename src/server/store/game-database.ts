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

/**
 * All players of a DayZ server's players.db. Opened for reading only and closed at once, so that it can be read while
 * the game writes; one statement sees one state of it.
 * @throws GameDatabaseError
 */
export function readGamePlayers(file: string): GamePlayerRow[] {
  let sqlite: SQLite.Database | undefined;
  try {
    sqlite = new SQLite(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    return sqlite
      .prepare('SELECT rowid AS "rowid", UID AS uid, Data AS data FROM Players ORDER BY rowid')
      .all() as GamePlayerRow[];
  } catch (error) {
    throw new GameDatabaseError((error as Error).message, { cause: error });
  } finally {
    sqlite?.close();
  }
}
