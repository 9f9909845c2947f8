import { contentStamp, type FilePort } from 'game-files';
import type { Clock } from '../../../process/clock.ts';
import type { Database } from '../../store/engine/database.ts';
import type { PollResult } from '../poll-problems.ts';
import { requireGameFile } from '../require-game-file.ts';
import { importPlayersDb, type PlayersDbReport } from './import-players-db.ts';
import { databaseHeader, isMissionNotStarted } from './read-players-db.ts';

/** From a remote host the whole file is downloaded, and the game only writes it every few minutes. */
const remoteEveryMs = 5 * 60_000;

interface ListedPlayersDb {
  db: Database;
  clock: Clock;
  port: FilePort;
  server: { id: string; game: string };
  file: string;
  isRemote: boolean;
}

/** Reads a server's file of characters when it has changed. */
export class PlayersDbFile {
  readonly #at: ListedPlayersDb;
  /** The file's stamp when it was last read. */
  #seen: string | null = null;
  /** When reading it last began, by the monotonic clock. */
  #begunAt = Number.NEGATIVE_INFINITY;

  constructor(at: ListedPlayersDb) {
    this.#at = at;
  }

  /** @returns null when the file was not read */
  async poll(): Promise<PollResult<PlayersDbReport> | null> {
    const { db, clock, port, server, file, isRemote } = this.#at;
    requireGameFile(server.game, 'characterFile', file);
    if (this.#seen === null && (await isMissionNotStarted(file, port))) return {};
    const stamp = await contentStamp(port, file, () => [databaseHeader]);
    if (stamp === this.#seen) return null;
    if (isRemote && clock.monotonic() - this.#begunAt < remoteEveryMs) return null;
    // Before it is read, because a file that cannot be used is downloaded as well.
    this.#begunAt = clock.monotonic();
    const source = { serverId: server.id, file, files: port, origin: 'config', now: clock.now } as const;
    const report = await importPlayersDb(db, source);
    this.#seen = stamp;
    return { report };
  }
}
