import type { AnnouncedRestart } from 'dayz-files';
import { type FileAccess, SettledFile } from 'game-files';
import type { Database } from '../../store/engine/database.ts';
import { findRestartFile, saveRestartFile } from '../../store/repositories/projects/restart-files.ts';
import type { PollResult } from '../poll-problems.ts';
import { readMessagesFile } from './read-messages-file.ts';

interface ListedMessages {
  db: Database;
  files: FileAccess;
  game: string;
  path: string;
  /** How the store calls the file (`placedFile`). */
  storedAs: string;
}

/**
 * Reads a file in which a game announces its restarts whenever it has changed. One that cannot be read leaves its schedule as it
 * was.
 * @returns what polls it; null: the file is being changed
 */
export function followMessages({ db, files, game, path, storedAs }: ListedMessages) {
  const settled = new SettledFile(files, path);
  return async (): Promise<PollResult<AnnouncedRestart> | null> => {
    const polled = await settled.poll(async () => (await findRestartFile(db, storedAs)) === undefined);
    if (polled.state !== 'unread') return polled.state === 'read' ? {} : null;
    const report = await readMessagesFile(game, path, files);
    const stored = await findRestartFile(db, storedAs);
    if (stored?.restartMinutes !== report.restartMinutes)
      await saveRestartFile(db, storedAs, report.restartMinutes);
    settled.done(polled);
    return { report };
  };
}
