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

export interface GamePlayers {
  rows: GamePlayerRow[];
  /** How often the file was changed, as its header says; null: it does not count that. */
  changeCounter: number | null;
}

/**
 * All players of a DayZ server's players.db.
 * @param content of the file, in one state of it; it is changed
 * @throws GameDatabaseError
 */
export function readGamePlayers(content: Buffer): GamePlayers {
  // The game makes the file before it has a table.
  if (content.length === 0) return { rows: [], changeCounter: null };
  let sqlite: SQLite.Database | undefined;
  try {
    const changeCounter = changeCounterOf(content);
    // A copy in memory has no log beside it.
    if (content[writeVersionAt] === writeAheadLog) {
      content[writeVersionAt] = content[readVersionAt] = rollbackJournal;
    }
    sqlite = new SQLite(content);
    const damage = sqlite.pragma('quick_check(1)', { simple: true });
    if (damage !== 'ok') throw new Error(`it is damaged: ${String(damage)}`);
    const select = sqlite.prepare(
      'SELECT rowid AS "rowid", UID AS uid, Data AS data FROM Players ORDER BY rowid',
    );
    return { rows: select.all() as GamePlayerRow[], changeCounter };
  } catch (error) {
    throw new GameDatabaseError((error as Error).message, { cause: error });
  } finally {
    sqlite?.close();
  }
}

/** Of SQLite's file header. Source: sqlite.org/fileformat2.html#the_database_header */
const headerBytes = 28;
const writeVersionAt = 18;
const readVersionAt = 19;
const rollbackJournal = 1;
const writeAheadLog = 2;
const changeCounterAt = 24;

/** With a write-ahead log the counter does not count changes. */
function changeCounterOf(content: Buffer): number | null {
  if (content.length < headerBytes || content[writeVersionAt] !== rollbackJournal) return null;
  return content.readUInt32BE(changeCounterAt);
}
