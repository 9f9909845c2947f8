import { contentStamp, type FileAccess } from 'game-files';
import type { Clock } from '../../../process/clock.ts';
import type { Database } from '../../store/engine/database.ts';
import type { ServerFile } from '../follower/sources.ts';
import type { PollResult } from '../poll-problems.ts';
import { requireGameFile } from '../require-game-file.ts';
import { importPlayersDb, type PlayersDbReport } from './import-players-db.ts';
import { databaseHeader, isMissionNotStarted } from './read-players-db.ts';

/** From a remote host the whole file is downloaded, and the game only writes it every few minutes. */
const remoteEveryMs = 5 * 60_000;

/** Reads a server's file of characters whenever it has changed. @returns what polls it; null: the file was not read */
export function followPlayersDb(
  { id: serverId, game, file, place }: ServerFile,
  { db, clock, files }: { db: Database; clock: Clock; files: FileAccess },
) {
  /** The file's stamp when it was last read. */
  let seen: string | null = null;
  /** When reading it last began, by the monotonic clock. */
  let begunAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<PollResult<PlayersDbReport> | null> => {
    requireGameFile(game, 'characterFile', file);
    if (seen === null && (await isMissionNotStarted(file, files))) return {};
    const stamp = await contentStamp(files, file, () => [databaseHeader]);
    if (stamp === seen) return null;
    if (place !== undefined && clock.monotonic() - begunAt < remoteEveryMs) return null;
    // Before it is read, because a file that cannot be used is downloaded as well.
    begunAt = clock.monotonic();
    const source = { serverId, file, files, origin: 'config', now: clock.now } as const;
    const report = await importPlayersDb(db, source);
    seen = stamp;
    return { report };
  };
}
