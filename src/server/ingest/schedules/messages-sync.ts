import type { Database } from '../../store/engine/database.ts';
import { findRestartFile, saveRestartFile } from '../../store/repositories/projects/restart-files.ts';
import { directPort } from '../../files/direct-files.ts';
import type { FilePort } from '../../files/file-port.ts';
import { readMessagesFile } from './read-messages-file.ts';
import type { AnnouncedRestart } from '../../games/game.ts';
import { SettledFile } from '../../files/settled-file.ts';
import { type ProblemChange, ProblemLog } from '../problem-log.ts';

/** A server of the config with its schedules. */
export interface ScheduledServer {
  id: string;
  /** GameDig's type; left out: that of the first game of the table. */
  game?: string | undefined;
  schedules?: readonly { source?: string | undefined; file?: string; active: boolean }[];
}

/** What changed about such a file; a problem is reported once. */
export type MessagesOutcome = {
  kind: 'messages';
  id: string;
  path: string;
  report?: AnnouncedRestart;
} & ProblemChange;

/** The files from which a server's schedules come. */
export function messagesFilesOf({ schedules = [] }: Pick<ScheduledServer, 'schedules'>): string[] {
  return schedules.flatMap(({ source, file, active }) =>
    source === 'messages.xml' && file !== undefined && active ? [file] : [],
  );
}

/** Reads the files of the config's schedules in which games announce their restarts. */
export class MessagesSync {
  readonly #db: Database;
  readonly #portOf: (serverId: string, path: string) => FilePort;
  /** By server and file: a file of two servers is checked for each of them. */
  readonly #files = new Map<string, SettledFile>();
  readonly #problems = new ProblemLog();

  /** @param portOf the port to a server's file */
  constructor(db: Database, portOf: (serverId: string, path: string) => FilePort = () => directPort) {
    this.#db = db;
    this.#portOf = portOf;
  }

  /**
   * Reads a server's file when it has changed. Call it every few seconds. Never throws for a file; one that cannot
   * be read keeps the schedule it had.
   * @param storedAs how the store calls the file (`placedFile`); default: by its path
   */
  async follow(
    { id, game }: { id: string; game: string },
    path: string,
    storedAs = path,
  ): Promise<MessagesOutcome[]> {
    const key = `${id} ${path}`;
    const change = await this.#problems.attempt(key, async () => {
      const port = this.#portOf(id, path);
      const settled = this.#files.get(key) ?? new SettledFile(port, path);
      this.#files.set(key, settled);
      const polled = await settled.poll(
        async () => (await findRestartFile(this.#db, storedAs)) === undefined,
      );
      if (polled.state !== 'unread') return polled.state === 'read' ? {} : null;
      const report = await readMessagesFile(game, path, port);
      const stored = await findRestartFile(this.#db, storedAs);
      if (stored?.restartMinutes !== report.restartMinutes) {
        await saveRestartFile(this.#db, storedAs, report.restartMinutes);
      }
      settled.done(polled);
      return { report };
    });
    return change === null ? [] : [{ kind: 'messages', id, path, ...change }];
  }
}
