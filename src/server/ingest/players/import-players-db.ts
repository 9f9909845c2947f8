import { contentStamp, directFiles, type FileAccess } from 'game-files';
import type { Clock } from '../../../process/clock.ts';
import type { Database } from '../../store/engine/database.ts';
import { writeProject } from '../../store/engine/transactions.ts';
import type { ServerFile } from '../follower/sources.ts';
import type { PollResult } from '../poll-problems.ts';
import { assertGameHasFile } from '../assert-game-has-file.ts';
import { type CharacterOrigin, saveCharacters } from '../../store/repositories/players/characters.ts';
import { savePeople } from '../../store/repositories/players/players.ts';
import { markStale, refreshStale } from '../../store/repositories/players/stale-statistics.ts';
import { findOwnServer } from '../../store/repositories/projects/servers.ts';
import { databaseHeader, isMissionNotStarted, readPlayersDb } from './read-players-db.ts';

export interface PlayersDbReport {
  serverId: string;
  file: string;
  characters: number;
  /** Players without a character. */
  empty: number;
  /** Players whose figures changed. */
  changed: number;
  /** Rows that could not be read, with the reason. */
  skipped: { row: number; reason: string }[];
}

/** What an import does now, and with how many players; 0: it does not know yet. */
export interface PlayersDbStep {
  step: 'reading' | 'storing' | 'computing';
  players: number;
}

/**
 * Stores the figures of the characters in a server's file of them. Reading the same file twice changes nothing.
 * All of it is one transaction, because when the file was read is stored with what was read.
 * @param options.origin `config` for the game's own file; default `import`
 * @throws SourceError when the file is none of the game's, is damaged, or has an unsupported layout; nothing is stored
 */
export async function importPlayersDb(
  db: Database,
  options: {
    serverId: string;
    file: string;
    origin?: CharacterOrigin;
    now?: () => number;
    files?: FileAccess;
    onStep?: (step: PlayersDbStep) => void;
  },
): Promise<PlayersDbReport> {
  const { serverId, file, origin = 'import', now = Date.now, onStep } = options;
  const server = await findOwnServer(db, serverId);
  onStep?.({ step: 'reading', players: 0 });
  assertGameHasFile(server.game, 'characterFile', file);
  const { characters, empty, skipped } = await readPlayersDb(file, options.files ?? directFiles);
  // An empty file, as the game first creates it or a crash leaves it, says nothing about earlier counts.
  const isEmpty = characters.length + empty + skipped.length === 0;
  if (isEmpty) return { serverId, file, characters: 0, empty, changed: 0, skipped };
  onStep?.({ step: 'storing', players: characters.length });
  const report = await writeProject(db, server.projectId, async (tx) => {
    const unknownTime = { firstSeenAt: null, lastSeenAt: null };
    const people = characters.map(({ dayzId }) => ({ identity: { dayzId }, names: [], ...unknownTime }));
    const { ids, merged } = await savePeople(tx, server.projectId, people);
    const figuresByPlayer = characters.flatMap(({ figures }, i) => {
      const id = ids[i] ?? null;
      return id === null ? [] : [[id, figures] as const];
    });
    const changed = await saveCharacters(tx, serverId, figuresByPlayer, { now: now(), origin });
    await markStale(tx, [...changed, ...merged]);
    return { serverId, file, characters: characters.length, empty, changed: changed.length, skipped };
  });
  onStep?.({ step: 'computing', players: report.changed });
  await refreshStale(db);
  return report;
}

/** From a remote host the whole file is downloaded, and the game only writes it every few minutes. */
const remoteEveryMs = 5 * 60_000;

/** Reads a server's file of characters whenever it has changed. @returns a function for each poll; null: unread this time */
export function followPlayersDb(
  { id: serverId, game, file, place }: ServerFile,
  { db, clock, files }: { db: Database; clock: Clock; files: FileAccess },
) {
  let readStamp: string | null = null;
  /** When reading it last began, by the monotonic clock. */
  let begunAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<PollResult<PlayersDbReport> | null> => {
    assertGameHasFile(game, 'characterFile', file);
    if (readStamp === null && (await isMissionNotStarted(file, files))) return {};
    const stamp = await contentStamp(files, file, () => [databaseHeader]);
    if (stamp === readStamp) return null;
    if (place !== undefined && clock.monotonic() - begunAt < remoteEveryMs) return null;
    // Noted before it is read, because a file that cannot be used is downloaded as well.
    begunAt = clock.monotonic();
    const source = { serverId, file, files, origin: 'config', now: clock.now } as const;
    const report = await importPlayersDb(db, source);
    readStamp = stamp;
    return { report };
  };
}
