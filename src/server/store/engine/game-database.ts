import { withSqlite } from './driver.ts';

/** A row of a game's `Players` table, with the table's own columns. */
export interface GamePlayerRow {
  rowid: number;
  uid: unknown;
  data: unknown;
}

/** The file is damaged, or is not a SQLite database with the game's table. */
export class GameDatabaseError extends Error {
  override name = 'GameDatabaseError';
}

export interface GamePlayers {
  rows: GamePlayerRow[];
  /** The change counter of SQLite's file header; null: the file does not count changes. */
  changeCounter: number | null;
}

/**
 * Reads all players of a DayZ server's players.db.
 * @param content of the file, read between two writes of the game; it is modified
 * @throws GameDatabaseError
 */
export function readGamePlayers(content: Buffer): GamePlayers {
  // The game creates the file before its table.
  if (content.length === 0) return { rows: [], changeCounter: null };
  try {
    const changeCounter = changeCounterOf(content);
    // A copy in memory has no write-ahead log beside it.
    if (content[writeVersionAt] === writeAheadLog) {
      content[writeVersionAt] = content[readVersionAt] = rollbackJournal;
    }
    return withSqlite(content, {}, (sqlite) => {
      const damage = sqlite.pragma('quick_check(1)', { simple: true });
      if (damage !== 'ok') throw new Error(`it is damaged: ${String(damage)}`);
      const players = 'SELECT rowid AS "rowid", UID AS uid, Data AS data FROM Players ORDER BY rowid';
      return { rows: sqlite.prepare(players).all() as GamePlayerRow[], changeCounter };
    });
  } catch (error) {
    throw new GameDatabaseError((error as Error).message, { cause: error });
  }
}

/** The part of SQLite's file header that is read. Source: sqlite.org/fileformat2.html#the_database_header */
const headerBytes = 28;
const writeVersionAt = 18;
const readVersionAt = 19;
const rollbackJournal = 1;
const writeAheadLog = 2;
const changeCounterAt = 24;

/** With a write-ahead log the counter does not rise with every change. */
function changeCounterOf(content: Buffer): number | null {
  if (content.length < headerBytes || content[writeVersionAt] !== rollbackJournal) return null;
  return content.readUInt32BE(changeCounterAt);
}
