import type { Database } from '../../engine/database.ts';
import { joined, unflushed, writeProject } from '../../engine/scopes.ts';
import { readTogether, writeAndRead, writeTogether } from '../../engine/send-together.ts';
import { countGestures, type PlayerGesture } from '../links/challenges.ts';
import { identityOfGameId } from '../players/person-identity.ts';
import { type FoundPerson, PeopleToSave } from '../players/players.ts';
import type { PersonSeen } from '../players/sightings.ts';
import { serverMarks, staleMarks } from '../players/stale-statistics.ts';
import { statisticsSources, statisticsWrites } from '../players/statistics.ts';
import { type LatestStay, latestStays, type StayPart, StaysToSave } from '../players/stays.ts';
import { readConditions, requireSame } from '../projects/server-time-zone.ts';
import { nobodyOf } from '../rights/erase-player.ts';
import { screenPeople } from '../rights/forget-player.ts';
import { type ForgottenList, isPseudonym, ListChangedError } from '../rights/forgotten-list.ts';
import { type LogFileChange, logFileWrites } from './log-files.ts';
import { RunsToSave, type RunToSave, storedRuns } from './log-runs.ts';
import { rosterWrites, storedRosters } from './rosters.ts';
import type { RunOutcome } from './run-copies.ts';

/** What was read of a server's logs, and with what. */
export interface ServerLogs {
  /** Its transactions fail when the server is another process's to follow. */
  db: Database;
  serverId: string;
  /** The zone in which moments were computed; null: they were not local times. */
  timezone: string | null;
  /** With which the logs were read. */
  forgotten: ForgottenList;
  /** Whether more follows at once, so that figures are derived at its end. */
  isBacklog: boolean;
  /** By the game's id, or the strongest known identifier. */
  people: readonly (readonly [key: string, person: PersonSeen])[];
  runs: readonly RunToSave[];
  rosters: readonly StayPart[];
  gestures: readonly (Omit<PlayerGesture, 'playerId'> & { gameId: string })[];
  files: readonly LogFileChange[];
}

export interface SavedLogs {
  /** What became of each run, in their order. */
  outcomes: RunOutcome[];
  /** The players who were seen. */
  players: number[];
  /** Whether figures are left to `refreshStale`. */
  hasStale: boolean;
  /** For how long the transaction held its locks. */
  ms: number;
}

type Clock = Record<'now' | 'monotonic', () => number>;

/**
 * Stores what was read of the logs of a project's servers: content and positions in one transaction, so that everything
 * counts exactly once, however the process ends. On PostgreSQL it takes five round trips, with new players or runs six.
 * @returns for each server what was stored
 * @throws for all of them what is wrong with one
 */
export async function saveLogs(
  projectId: string,
  servers: readonly [ServerLogs, ...ServerLogs[]],
  { now, monotonic }: Clock,
): Promise<SavedLogs[]> {
  const dbs = servers.map(({ db }) => db) as [Database, ...Database[]];
  let begunAt = 0;
  // What a crash of PostgreSQL loses is read again, from the positions that are stored with it.
  const saved = await writeProject(unflushed(joined(dbs)), projectId, async (tx) => {
    begunAt = monotonic();
    return await saveIn(tx, projectId, servers, now());
  });
  if (saved === null) throw new ListChangedError();
  const ms = monotonic() - begunAt;
  return saved.map((one) => ({ ...one, ms }));
}

/**
 * @returns null: new identifiers of forgotten people were found, and only these are stored
 */
async function saveIn(
  tx: Database,
  projectId: string,
  servers: readonly [ServerLogs, ...ServerLogs[]],
  now: number,
): Promise<Omit<SavedLogs, 'ms'>[] | null> {
  const people = servers.flatMap(peopleOf);
  const runs = servers.flatMap((server) => server.runs);
  const rosters = servers.flatMap((server) => server.rosters);
  const saved = new PeopleToSave(
    projectId,
    people.map(({ person }) => person),
  );
  const peopleReads = saved.reads();
  const [conditions, known, runPlayers, roster, ...others] = await readTogether(tx, [
    readConditions(
      projectId,
      servers.map(({ serverId }) => serverId),
    ),
    ...storedRuns(runs),
    storedRosters(rosters.map(({ serverId }) => serverId)),
    ...peopleReads,
    ...latestStays(rosters),
  ]);
  const found = others.slice(0, peopleReads.length) as FoundPerson[][];
  const stays = others.slice(peopleReads.length).flat() as LatestStay[];
  for (const { serverId, timezone, forgotten } of servers)
    requireSame(conditions, { serverId, timezone, list: forgotten });
  const screened = await screenPeople(
    tx,
    people.map(({ person }) => person.identity),
    servers[0].forgotten,
  );
  if (screened.hasGrown) return null;
  saved.resolve(found, screened.forgotten);
  await saved.merge(tx);
  // Rows of merged players were moved.
  const players = saved.merged.length === 0 ? runPlayers : (await readTogether(tx, storedRuns(runs)))[1];
  const savedRuns = new RunsToSave(runs, known, {
    now,
    keepsPositions: conditions[0]?.kill_positions === 1,
  });
  let writes = [...saved.players(), ...savedRuns.runs()];
  if (saved.hasNew || savedRuns.hasNew) {
    await writeTogether(tx, writes);
    writes = [];
  }
  const savedIds = saved.ids;
  const isAnonymous = runs.some(({ rows }) => [...rows.keys()].some(isPseudonym));
  const nobody = isAnonymous ? await nobodyOf(tx, projectId) : null;
  const playerOf = playersByGameId(people, savedIds, nobody);
  writes.push(
    ...saved.sightings(),
    ...savedRuns.content(playerOf, players),
    ...logFileWrites(servers.flatMap(({ files }) => files)),
    ...rosterWrites(rosters, roster),
    ...new StaysToSave(rosters, stays, roster, now).writes(projectId, playerOf),
  );
  if (conditions[0]?.has_challenges === 1) {
    const gestures = servers.flatMap((server) => gesturesOf(server, playerOf));
    if (gestures.length > 0) await countGestures(tx, projectId, gestures);
  }
  // With the first log of a server, the figures of everybody in its players.db may come from another source.
  const unlogged = new Set(conditions.flatMap((row) => (row.is_logged === 1 ? [] : (row.server_id ?? []))));
  const first = [...new Set(runs.map(({ serverId }) => serverId))].filter((id) => unlogged.has(id));
  writes.push(...first.map(serverMarks));
  const { fresh, stale, staleServers } = figuresToDerive(servers, first, savedRuns.changed, saved.merged);
  const sources = await writeAndRead(tx, [...writes, ...staleMarks(stale)], statisticsSources(fresh));
  await writeTogether(tx, statisticsWrites(fresh, sources));
  return servers.map(({ serverId }) => ({
    outcomes: savedRuns.outcomes.filter((_, i) => runs[i]?.serverId === serverId),
    players: people.flatMap((one, i) => (one.serverId === serverId && one.isSeen ? (savedIds[i] ?? []) : [])),
    hasStale: staleServers.has(serverId),
  }));
}

/**
 * @param savedIds the players, in the order of `people`; @param nobody whoever has a pseudonym
 * @returns the player of a game's id on a server
 */
function playersByGameId(
  people: readonly PersonOfServer[],
  savedIds: readonly (number | null)[],
  nobody: number | null,
): (serverId: string, gameId: string) => number {
  const ids = new Map<string, Map<string, number>>();
  for (const [i, { serverId, key }] of people.entries()) {
    const ofServer = ids.get(serverId) ?? new Map<string, number>();
    ids.set(serverId, ofServer);
    const id = savedIds[i] ?? null;
    if (id !== null) ofServer.set(key, id);
  }
  return (serverId, gameId) => (isPseudonym(gameId) ? nobody : ids.get(serverId)?.get(gameId)) as number;
}

/**
 * @param first the servers of which these are the first runs
 * @returns whose figures to derive at once, and whose later: at the end of a backlog, or in a transaction of their own
 */
function figuresToDerive(
  servers: readonly ServerLogs[],
  first: readonly string[],
  changed: ReadonlyMap<string, ReadonlySet<number>>,
  merged: readonly number[],
): { fresh: number[]; stale: Set<number>; staleServers: Set<string> } {
  const fresh = new Set(merged);
  const stale = new Set<number>();
  const staleServers = new Set<string>();
  for (const { serverId, isBacklog } of servers) {
    const players = changed.get(serverId) ?? new Set<number>();
    const isStale = isBacklog || first.includes(serverId);
    if (isStale) staleServers.add(serverId);
    for (const id of players) (isStale ? stale : fresh).add(id);
  }
  return { fresh: [...fresh], stale, staleServers };
}

/** Somebody who was seen on a server, or is in one of its runs and was seen before this part of it. */
interface PersonOfServer {
  serverId: string;
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
    ...seen.map(([key, person]) => ({ serverId, key, person: { ...person, serverId }, isSeen: true })),
    ...Array.from(others, (key) => ({ serverId, key, person: unseen(key), isSeen: false })),
  ];
}

const unseen = (gameId: string): PersonSeen => ({
  identity: identityOfGameId(gameId),
  names: [],
  firstSeenAt: null,
  lastSeenAt: null,
});

function gesturesOf(
  { serverId, gestures }: ServerLogs,
  playerOf: (serverId: string, gameId: string) => number | undefined,
): PlayerGesture[] {
  return gestures.flatMap(({ gameId, ...gesture }) => {
    const playerId = isPseudonym(gameId) ? undefined : playerOf(serverId, gameId);
    return playerId === undefined ? [] : [{ playerId, ...gesture }];
  });
}
