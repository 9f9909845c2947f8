import { dayzIdPattern } from '../ids.ts';
import { CharacterVersionError, readCharacterBlob } from './character-blob.ts';

/** A row of `SELECT rowid, UID AS uid, Data AS data FROM Players`. */
export interface PlayerRow {
  rowid: number;
  uid: unknown;
  data: unknown;
}

/** Figures of a character by the game's names. Absent: the file does not hold it. */
export type CharacterFigures = Partial<Record<(typeof figureNames)[number], number>>;

/** Those that the game writes: kills, the longest hit and the way in metres, the time in seconds. Mods add others. */
const figureNames = [
  'players_killed',
  'longest_survivor_hit',
  'infected_killed',
  'animals_killed',
  'playtime',
  'dist',
] as const;

/** A player's present character. */
export interface Character {
  dayzId: string;
  figures: CharacterFigures;
}

export interface Characters {
  characters: Character[];
  /** Players without a character. */
  empty: number;
  /** Rows that could not be read, with the reason. */
  skipped: { row: number; reason: string }[];
}

/** A greater figure is corrupt data, not play: 2^31 of anything. */
const greatestFigure = 2 ** 31;

/**
 * Reads the rows of a players.db, which is a SQLite database.
 * @throws Error when a row has an unsupported layout, or none can be read
 */
export function readCharacters(rows: Iterable<PlayerRow>): Characters {
  const result: Characters = { characters: [], empty: 0, skipped: [] };
  for (const row of rows) {
    if (row.data === null) {
      result.empty += 1;
      continue;
    }
    try {
      result.characters.push(readRow(row));
    } catch (error) {
      const reason = (error as Error).message;
      if (error instanceof CharacterVersionError) {
        throw new Error(`row ${row.rowid} holds ${reason}`, { cause: error });
      }
      result.skipped.push({ row: row.rowid, reason });
    }
  }
  const [first] = result.skipped;
  if (first !== undefined && result.characters.length === 0) {
    throw new Error(`none of its rows can be read: row ${first.row}: ${first.reason}`);
  }
  return result;
}

function readRow({ uid, data }: PlayerRow): Character {
  if (typeof uid !== 'string' || !dayzIdPattern.test(uid))
    throw new Error('its UID is not a player id of the game');
  if (!Buffer.isBuffer(data)) throw new Error('its Data is not a blob');
  const found = readCharacterBlob(data);
  const figures: CharacterFigures = {};
  for (const name of figureNames) {
    const value = found.get(name);
    if (value === undefined) continue;
    if (!(value >= 0 && value <= greatestFigure)) throw new Error(`its ${name} is ${value}`);
    figures[name] = value;
  }
  if (figures.infected_killed === undefined) throw new Error('it holds no infected_killed');
  return { dayzId: uid, figures };
}
