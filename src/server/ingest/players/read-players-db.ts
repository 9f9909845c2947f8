import { setTimeout as sleep } from 'node:timers/promises';
import { type Characters, readCharacters } from 'dayz-files';
import { FileError, type FileAccess, readWholeFile } from 'game-files';
import { fileProblem, findsNothing, SourceError } from '../../files/errors.ts';
import { GameDatabaseError, readGamePlayers } from '../../store/engine/game-database.ts';

/** Whether a mission has never been started: only its start creates `storage_<n>` with the players.db in it. */
export async function isMissionNotStarted(file: string, files: FileAccess): Promise<boolean> {
  const { basename, dirname } = files.path;
  const storage = dirname(file);
  if (!/^storage_-?[0-9]+$/.test(basename(storage))) return false;
  const mission = dirname(storage);
  return (await findsNothing(files.stat(file))) && !(await findsNothing(files.stat(mission)));
}

const maxFileBytes = 256 * 1024 * 1024;
/** The game writes for a moment every few minutes. */
const readTries = 5;
const readAgainMs = 200;

/** @throws SourceError when the file is no players.db, is damaged, or has an unsupported layout */
export async function readPlayersDb(file: string, files: FileAccess): Promise<Characters> {
  let content: Buffer;
  try {
    content = await readContent(file, files);
  } catch (error) {
    throw new SourceError(file, fileProblem(error), { cause: error });
  }
  try {
    return readCharacters(readGamePlayers(content));
  } catch (error) {
    const { message } = error as Error;
    const problem = error instanceof GameDatabaseError ? `is not a readable players.db: ${message}` : message;
    throw new SourceError(file, problem, { cause: error });
  }
}

/** The file's content between two writes of the game. */
async function readContent(file: string, files: FileAccess): Promise<Buffer> {
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

/** The header of a SQLite file, in which every write counts up. Source: sqlite.org/fileformat2.html */
export const databaseHeader = { offset: 0, length: 100 };

/** For a remote file, which has no `identity`: the game may write while it is read. A write changes the header. */
async function refuseIfHeaderChanged(file: string, files: FileAccess, bytes: Buffer): Promise<void> {
  const { stat, parts } = await files.read(file, [databaseHeader]);
  const header = bytes.subarray(0, databaseHeader.length);
  if (stat.size === bytes.length && parts[0]?.equals(header) === true) return;
  throw new FileError({ code: 'ECHANGED', message: 'was changed while it was read' });
}

/** How SQLite begins the journal that it keeps while it writes. Source: sqlite.org/fileformat2.html#the_rollback_journal */
const journalMagic = Buffer.from('d9d505f920a163d7', 'hex');

async function refuseWhileWritten(file: string, files: FileAccess): Promise<void> {
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
