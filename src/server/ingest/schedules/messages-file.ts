import type { AnnouncedRestart } from 'dayz-files';
import { type FilePort, SettledFile } from 'game-files';
import type { Database } from '../../store/engine/database.ts';
import { findRestartFile, saveRestartFile } from '../../store/repositories/projects/restart-files.ts';
import type { PollResult } from '../poll-problems.ts';
import { readMessagesFile } from './read-messages-file.ts';

interface ListedMessages {
  db: Database;
  port: FilePort;
  game: string;
  path: string;
  /** How the store calls the file (`placedFile`). */
  storedAs: string;
}

/** Reads a file in which a game announces its restarts when it has changed. */
export class MessagesFile {
  readonly #at: ListedMessages;
  readonly #settled: SettledFile;

  constructor(at: ListedMessages) {
    this.#at = at;
    this.#settled = new SettledFile(at.port, at.path);
  }

  /**
   * @returns null when the file is being changed
   * @throws when it cannot be read; its schedule stays as it was
   */
  async poll(): Promise<PollResult<AnnouncedRestart> | null> {
    const { db, port, game, path, storedAs } = this.#at;
    const polled = await this.#settled.poll(async () => (await findRestartFile(db, storedAs)) === undefined);
    if (polled.state !== 'unread') return polled.state === 'read' ? {} : null;
    const report = await readMessagesFile(game, path, port);
    const stored = await findRestartFile(db, storedAs);
    if (stored?.restartMinutes !== report.restartMinutes) {
      await saveRestartFile(db, storedAs, report.restartMinutes);
    }
    this.#settled.done(polled);
    return { report };
  }
}
