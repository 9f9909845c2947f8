import { setTimeout as sleep } from 'node:timers/promises';
import { dayzIdPattern } from '../../ingest/counting/game-ids.ts';
import { fileProblem, SourceError } from '../../files/errors.ts';
import { FileError, type FilePort } from '../../files/file-port.ts';
import { readWholeFile } from '../../files/whole-file.ts';
import { type GamePlayerRow, GameDatabaseError, readGamePlayers } from '../../store/engine/game-database.ts';
import { characterMetrics, type CharacterStats } from '../../store/repositories/players/characters.ts';
import type { CharacterFiles, Characters } from '../game.ts';
import { BlobVersionError, readCharacterBlob } from './character-blob.ts';

/** The figures that are stored; mods add others, which may fall within a life. */
const keptStats = [...characterMetrics.map(([, stat]) => stat), 'dist'];

/** A greater figure is corrupt data, not play: 2^31 of anything. */
const greatestFigure = 2 ** 31;

/** Whether a mission has never been started: the game then creates its `storage_<n>` with the players.db. */
async function isMissionNotStarted(file: string, files: FilePort): Promise<boolean> {
  const { basename, dirname } = files.path;
  const storage = dirname(file);
  if (!/^storage_-?[0-9]+$/.test(basename(storage))) return false;
  return (await isMissing(file, files)) && !(await isMissing(dirname(storage), files));
}

async function isMissing(path: string, files: FilePort): Promise<boolean> {
  try {
    await files.stat(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** @throws SourceError */
export async function readPlayersDb(file: string, files: FilePort): Promise<Characters> {
  const rows = await readRows(file, files);
  const result: Characters = { characters: [], empty: 0, skipped: [] };
  for (const row of rows) {
    if (row.data === null) {
      result.empty += 1;
      continue;
    }
    try {
      result.characters.push(readRow(row));
    } catch (error) {
      if (error instanceof BlobVersionError) {
        throw new SourceError(file, `row ${row.rowid} holds ${error.message}`, { cause: error });
      }
      result.skipped.push({ row: row.rowid, reason: (error as Error).message });
    }
  }
  if (result.characters.length === 0 && result.skipped.length > 0) {
    const [first] = result.skipped;
    throw new SourceError(file, `none of its rows can be read: row ${first?.row}: ${first?.reason}`);
  }
  return result;
}

const maxFileBytes = 256 * 1024 * 1024;
/** The game writes for a moment every few minutes. */
const readTries = 5;
const readAgainMs = 200;

async function readRows(file: string, files: FilePort): Promise<GamePlayerRow[]> {
  let content: Buffer;
  try {
    content = await readContent(file, files);
  } catch (error) {
    throw new SourceError(file, fileProblem(error), { cause: error });
  }
  try {
    return readGamePlayers(content);
  } catch (error) {
    if (!(error instanceof GameDatabaseError)) throw error;
    throw new SourceError(file, `is not a readable players.db: ${error.message}`, { cause: error });
  }
}

/** The file's content between two writes of the game. */
async function readContent(file: string, files: FilePort): Promise<Buffer> {
  for (let tries = 1; ; tries += 1) {
    try {
      await refuseWhileWritten(file, files);
      const { stat, bytes } = await readWholeFile(files, file, maxFileBytes);
      await refuseWhileWritten(file, files);
      if (stat.identity === null) await refuseIfHeaderChanged(file, files, bytes);
      return bytes;
    } catch (error) {
      if (!(error instanceof FileError) || error.code !== 'ECHANGED' || tries === readTries) throw error;
      await sleep(readAgainMs);
    }
  }
}

/** The header of a SQLite file, in which the counter of its changes is. Source: sqlite.org/fileformat2.html */
const databaseHeader = { offset: 0, length: 100 };

/** What comes over a line takes a while: nobody may have written into the file meanwhile. */
async function refuseIfHeaderChanged(file: string, files: FilePort, bytes: Buffer): Promise<void> {
  const { stat, parts } = await files.read(file, [databaseHeader]);
  const header = bytes.subarray(0, databaseHeader.length);
  if (stat.size === bytes.length && parts[0]?.equals(header) === true) return;
  throw new FileError({ code: 'ECHANGED', message: 'was changed while it was read' });
}

/** How SQLite begins the journal that it keeps while it writes. Source: sqlite.org/fileformat2.html#the_rollback_journal */
const journalMagic = Buffer.from('d9d505f920a163d7', 'hex');

async function refuseWhileWritten(file: string, files: FilePort): Promise<void> {
  const range = { offset: 0, length: journalMagic.length };
  const journal = await files.read(`${file}-journal`, [range]).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (journal?.parts[0]?.equals(journalMagic) === true) {
    throw new FileError({
      code: 'ECHANGED',
      message: 'is being written by the game (players.db-journal lies beside it); it is tried again',
    });
  }
}

function readRow({ uid, data }: GamePlayerRow): { uid: string; stats: CharacterStats } {
  if (typeof uid !== 'string' || !dayzIdPattern.test(uid))
    throw new Error('its UID is not a player id of the game');
  if (!Buffer.isBuffer(data)) throw new Error('its Data is not a blob');
  const figures = readCharacterBlob(data);
  const stats: CharacterStats = {};
  for (const name of keptStats) {
    const value = figures.get(name);
    if (value === undefined) continue;
    if (!(value >= 0 && value <= greatestFigure)) throw new Error(`its ${name} is ${value}`);
    stats[name] = value;
  }
  if (stats['infected_killed'] === undefined) throw new Error('it holds no infected_killed');
  return { uid, stats };
}

export const characterFiles: CharacterFiles = {
  // It counts the changes.
  changingPart: databaseHeader,
  read: readPlayersDb,
  isNotCreatedYet: isMissionNotStarted,
};
