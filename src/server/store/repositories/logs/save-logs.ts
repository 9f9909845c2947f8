import type { Database } from '../../engine/database.ts';
import { writeProject } from '../../engine/transactions.ts';
import { countGestures, type PlayerGesture } from '../links/challenges.ts';
import { identityOfGameId } from '../players/person-identity.ts';
import { saveScreened } from '../players/players.ts';
import type { PersonSeen } from '../players/sightings.ts';
import { markServerStale, markStale } from '../players/stale-statistics.ts';
import { updateStatistics } from '../players/statistics.ts';
import { type ReadConditions, requireSame } from '../projects/server-time-zone.ts';
import { nobodyOf } from '../rights/erase-player.ts';
import { screenPeople } from '../rights/forget-player.ts';
import { isPseudonym, ListChangedError } from '../rights/forgotten-list.ts';
import { type LogFileOfServer, saveLogFiles } from './log-files.ts';
import { type RunToSave, saveRuns } from './log-runs.ts';
import { savePresence } from './presence.ts';
import type { RosterPart } from './rosters.ts';
import type { RunOutcome } from './run-copies.ts';

/** What was read of a server's logs, and with what. */
export interface ServerLogs extends ReadConditions {
  projectId: string;
  serverId: string;
  /** Whether more follows at once, so that figures are derived at its end. */
  isBacklog: boolean;
  /** By the game's id, or the strongest known identifier. */
  people: readonly (readonly [key: string, person: PersonSeen])[];
  runs: readonly RunToSave[];
  rosters: readonly RosterPart[];
  gestures: readonly (Omit<PlayerGesture, 'playerId'> & { gameId: string })[];
  files: readonly LogFileOfServer[];
}

export interface SavedLogs {
  /** What became of each run, in their order. */
  outcomes: RunOutcome[];
  players: number[];
  /** Whether figures are left to `refreshStale`. */
  hasStale: boolean;
}

/**
 * Stores what was read of the logs of a project's servers: content and how far it was read, in one transaction, and a statement a
 * table for all of them. Statement by statement for each, 300 servers fall 16 s behind with a database a millisecond away.
 * @param db under the fences of the servers' leases, so that it fails when a server is another process's to follow
 * @param logs one or more, all of one project, and read with the same list of forgotten players
 */
export async function saveLogs(
  db: Database,
  logs: readonly [ServerLogs, ...ServerLogs[]],
  now: number,
): Promise<SavedLogs[]> {
  const saved = await writeProject(db, logs[0].projectId, (tx) => saveIn(tx, logs, now));
  if (saved === null) throw new ListChangedError();
  return saved;
}

/** @returns null: new identifiers of forgotten people were found, and only these are stored */
async function saveIn(
  tx: Database,
  logs: readonly [ServerLogs, ...ServerLogs[]],
  now: number,
): Promise<SavedLogs[] | null> {
  const [{ projectId, forgotten }] = logs;
  const { keepsPositions, killsKeptMs, unlogged, hasChallenges } = await requireSame(tx, projectId, logs);
  const runs = logs.flatMap((each) => each.runs);
  const rosters = logs.flatMap((each) => each.rosters);

  const people = logs.flatMap(peopleOf);
  const persons = people.map(({ person }) => person);
  const identities = persons.map(({ identity }) => identity);
  const screened = await screenPeople(tx, identities, forgotten);
  if (screened.hasGrown) return null;
  const { ids, merged } = await saveScreened(tx, projectId, persons, screened.forgotten);
  const byGameId = new Map(people.flatMap(({ key }, i) => (ids[i] == null ? [] : [[key, ids[i]]])));
  const isAnonymous = runs.some(({ rows }) => [...rows.keys()].some(isPseudonym));
  const nobody = isAnonymous ? await nobodyOf(tx, projectId) : null;
  const playerOf = (gameId: string): number =>
    (isPseudonym(gameId) ? nobody : byGameId.get(gameId)) as number;

  const { outcomes, changes } = await saveRuns(tx, runs, { now, keepsPositions, killsKeptMs, playerOf });
  await saveLogFiles(
    tx,
    logs.flatMap((each) => each.files),
  );
  if (rosters.length > 0) await savePresence(tx, rosters, { projectId, playerOf, now });
  if (hasChallenges) {
    const made = logs.flatMap((each) => gesturesOf(each, byGameId));
    await countGestures(tx, projectId, made);
  }

  // With the first log of a server, the figures of everybody in its players.db may come from another source.
  const first = unlogged.filter((serverId) => runs.some((run) => run.serverId === serverId));
  for (const serverId of first) await markServerStale(tx, serverId);
  const hasStale = first.length > 0 || logs.some((each) => each.isBacklog);
  if (hasStale) await markStale(tx, new Set(changes.map(({ playerId }) => playerId)));
  await updateStatistics(tx, hasStale ? [] : changes, merged);
  const left = [...outcomes];
  return logs.map(({ serverId, runs: own }) => ({
    outcomes: left.splice(0, own.length),
    players: people.flatMap(({ isSeen, person }, i) =>
      isSeen && person.serverId === serverId ? (ids[i] ?? []) : [],
    ),
    hasStale,
  }));
}

/** Somebody who was seen on a server, or is in one of its runs and was seen before this part of it. */
interface PersonOfServer {
  /** The game's id, or the strongest known identifier. */
  key: string;
  person: PersonSeen;
  isSeen: boolean;
}

function peopleOf({ serverId, people, runs }: ServerLogs): PersonOfServer[] {
  const seen = people.filter(([key]) => !isPseudonym(key));
  const known = new Set(seen.map(([key]) => key));
  const inRuns = runs.flatMap(({ rows }) => [...rows.keys()]);
  const others = new Set(inRuns.filter((id) => !known.has(id) && !isPseudonym(id)));
  return [
    ...seen.map(([key, person]) => ({ key, person: { ...person, serverId }, isSeen: true })),
    ...Array.from(others, (key) => ({ key, person: unseen(key), isSeen: false })),
  ];
}

const unseen = (gameId: string): PersonSeen => ({
  identity: identityOfGameId(gameId),
  names: [],
  firstSeenAt: null,
  lastSeenAt: null,
});

function gesturesOf({ gestures }: ServerLogs, byGameId: ReadonlyMap<string, number>): PlayerGesture[] {
  return gestures.flatMap(({ gameId, ...gesture }) => {
    const playerId = byGameId.get(gameId);
    return playerId === undefined ? [] : [{ playerId, ...gesture }];
  });
}
