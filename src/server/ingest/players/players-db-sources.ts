import type { Clock } from '../../../process/clock.ts';
import type { Database } from '../../store/engine/database.ts';
import { contentStamp } from '../../files/content-stamp.ts';
import type { FilePort } from '../../files/file-port.ts';
import type { PollResult } from '../problem-log.ts';
import { charactersOf } from '../readers-of-game.ts';
import { importPlayersDb, type PlayersDbReport } from './import-players-db.ts';

/** From a remote host the whole file is downloaded, and the game only writes it every few minutes. */
const remoteEveryMs = 5 * 60_000;

/** Reads each file of characters of the config when it has changed. */
export class PlayersDbSources {
  readonly #db: Database;
  readonly #clock: Clock;
  /** The stamp of each file when it was last read. */
  readonly #seen = new Map<string, string>();
  /** When reading a file last began, by the monotonic clock. */
  readonly #begunAt = new Map<string, number>();

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Lets each file be read at the next poll. */
  forgetPace(): void {
    this.#begunAt.clear();
  }

  /** @returns null when the file was not read */
  async poll(
    { id: serverId, game }: { id: string; game: string },
    file: string,
    files: FilePort,
    isRemote: boolean,
    signal?: AbortSignal,
  ): Promise<PollResult<PlayersDbReport> | null> {
    if (signal?.aborted === true) return null;
    const key = JSON.stringify([serverId, file]);
    const characters = charactersOf(game, file);
    if (!this.#seen.has(key) && (await characters.isNotCreatedYet(file, files))) return {};
    const stamp = await contentStamp(files, file, () => [characters.changingPart]);
    if (stamp === this.#seen.get(key)) return null;
    const begun = this.#begunAt.get(key) ?? Number.NEGATIVE_INFINITY;
    if (isRemote && this.#clock.monotonic() - begun < remoteEveryMs) return null;
    // Before it is read, because a file that cannot be used is downloaded as well.
    this.#begunAt.set(key, this.#clock.monotonic());
    const { now } = this.#clock;
    const report = await importPlayersDb(this.#db, { serverId, file, files, origin: 'config', now });
    this.#seen.set(key, stamp);
    return { report };
  }
}
