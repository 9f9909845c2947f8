import type { Database } from '../../../store/engine/database.ts';
import { joined, unflushed, writeProject } from '../../../store/engine/scopes.ts';
import { readTogether, writeAndRead, writeTogether } from '../../../store/engine/send-together.ts';
import { isPostgres } from '../../../store/engine/slice-size.ts';
import { type LogFileChange, logFileWrites } from '../../../store/repositories/logs/log-files.ts';
import { RunsToSave, type RunToSave, storedRuns } from '../../../store/repositories/logs/log-runs.ts';
import { rosterWrites, storedRosters } from '../../../store/repositories/logs/rosters.ts';
import type { RunOutcome } from '../../../store/repositories/logs/run-copies.ts';
import { countGestures, type PlayerGesture } from '../../../store/repositories/links/challenges.ts';
import { identityOfGameId } from '../../../store/repositories/players/person-identity.ts';
import { type FoundPerson, PeopleToSave } from '../../../store/repositories/players/players.ts';
import type { PersonSeen } from '../../../store/repositories/players/sightings.ts';
import { type LatestStay, latestStays, StaysToSave } from '../../../store/repositories/players/stays.ts';
import { staleMarks } from '../../../store/repositories/players/stale-statistics.ts';
import { statisticsSources, statisticsWrites } from '../../../store/repositories/players/statistics.ts';
import { readConditions, requireSame } from '../../../store/repositories/projects/server-time-zone.ts';
import { nobodyOf } from '../../../store/repositories/rights/erase-player.ts';
import { screenPeople } from '../../../store/repositories/rights/forget-player.ts';
import {
  type ForgottenList,
  isPseudonym,
  ListChangedError,
} from '../../../store/repositories/rights/forgotten-list.ts';
import { Sightings } from '../../counting/sightings.ts';
import type { ReadPart } from './read-parts.ts';

/** What was read of a server's logs, and with what. */
export interface ServerParts {
  /** Its transactions fail when the server is another process's to follow. */
  db: Database;
  serverId: string;
  /** The zone in which moments were computed; null: they were not local times. */
  timezone: string | null;
  /** With which the logs are read. */
  forgotten: ForgottenList;
  parts: readonly ReadPart[];
  /** Whether more follows at once, so that figures are derived at its end. */
  isBacklog: boolean;
  now: () => number;
  monotonic: () => number;
}

export interface StoredParts {
  /** What became of each run. */
  outcomes: (readonly [part: ReadPart, header: string, outcome: RunOutcome])[];
  /** The players who were seen. */
  players: number[];
  /** Whether figures are left to `refreshStale`. */
  hasStale: boolean;
  /** For how long the transaction held its locks. */
  ms: number;
}

/** With the first log of a server, the figures of everybody in its players.db may come from another source. */
const fewPlayers = 1_000;

/**
 * Stores what was read of the logs of a project's servers: content and positions in one transaction, so that everything
 * counts exactly once, however the process ends. On PostgreSQL it takes four round trips, with new players or runs five.
 * @returns for each server what was stored
 * @throws for all of them what is wrong with one
 */
export async function storeParts(
  projectId: string,
  servers: readonly [ServerParts, ...ServerParts[]],
): Promise<StoredParts[]> {
  const dbs = servers.map(({ db }) => db) as [Database, ...Database[]];
  const { monotonic } = servers[0];
  let begunAt = 0;
  // What a crash of PostgreSQL loses is read again, from the positions that are stored with it.
  const stored = await writeProject(unflushed(joined(dbs)), projectId, async (tx) => {
    begunAt = monotonic();
    return await storeIn(tx, projectId, servers, () => {
      // SQLite's lock is held from the beginning on.
      if (isPostgres(tx)) begunAt = monotonic();
    });
  });
  if (stored === null) throw new ListChangedError();
  const ms = monotonic() - begunAt;
  return stored.map((one) => ({ ...one, ms }));
}

/**
 * @param onRead called once it has read what is stored, before it writes
 * @returns null: new identifiers of forgotten people were found, and only these are stored
 */
async function storeIn(
  tx: Database,
  projectId: string,
  servers: readonly [ServerParts, ...ServerParts[]],
  onRead: () => void,
): Promise<Omit<StoredParts, 'ms'>[] | null> {
  const people = servers.flatMap(peopleOf);
  const runs = servers.flatMap(runsOf);
  const rosters = servers.flatMap(({ serverId, parts }) =>
    parts.flatMap(({ changes: { roster }, rosterAge, age = 'history' }) =>
      roster === null || rosterAge === undefined ? [] : [{ serverId, change: roster, age, ...rosterAge }],
    ),
  );
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
  onRead();
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
  const now = servers[0].now();
  const savedRuns = new RunsToSave(runs, known, {
    now,
    keepsPositions: conditions[0]?.kill_positions === 1,
    unlogged: conditions.flatMap(({ server_id, is_logged }) => (is_logged === 1 ? [] : (server_id ?? []))),
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
    ...logFileWrites(servers.flatMap(filesOf)),
    ...rosterWrites(rosters, roster),
    ...new StaysToSave(rosters, stays, roster, now).writes(projectId, playerOf),
  );
  if (conditions[0]?.has_challenges === 1) {
    const gestures = servers.flatMap((server) => gesturesOf(server, playerOf));
    if (gestures.length > 0) await countGestures(tx, projectId, gestures);
  }
  const { fresh, stale, staleServers } = figuresToDerive(servers, savedRuns.changed, saved.merged);
  const sources = await writeAndRead(tx, [...writes, ...staleMarks(stale)], statisticsSources(fresh));
  await writeTogether(tx, statisticsWrites(fresh, sources));
  return servers.map(({ serverId }) => ({
    outcomes: runs.flatMap((run, i) =>
      run.serverId === serverId ? [[run.part, run.header, savedRuns.outcomes[i] as RunOutcome] as const] : [],
    ),
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

/** @returns whose figures to derive at once, and whose at the end of a backlog */
function figuresToDerive(
  servers: readonly ServerParts[],
  changed: ReadonlyMap<string, ReadonlySet<number>>,
  merged: readonly number[],
): { fresh: number[]; stale: Set<number>; staleServers: Set<string> } {
  const fresh = new Set(merged);
  const stale = new Set<number>();
  const staleServers = new Set<string>();
  for (const { serverId, isBacklog } of servers) {
    const players = changed.get(serverId) ?? new Set<number>();
    const isStale = isBacklog || players.size > fewPlayers;
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

function peopleOf({ serverId, parts }: ServerParts): PersonOfServer[] {
  const sightings = new Sightings();
  for (const { changes } of parts) sightings.merge(changes.sightings.all);
  const seen = [...sightings.all].filter(([key]) => !isPseudonym(key));
  const known = new Set(seen.map(([key]) => key));
  const inRuns = parts.flatMap(({ changes }) => changes.runs.flatMap(({ rows }) => [...rows.keys()]));
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

/** Lines that came just now count as of now, too: the log's clock may be off. */
function gesturesOf(
  { serverId, parts, now }: ServerParts,
  playerOf: (serverId: string, gameId: string) => number | undefined,
): PlayerGesture[] {
  return parts.flatMap(({ changes, age }) =>
    changes.gestures.flatMap(({ gameId, gesture, at }) => {
      const playerId = isPseudonym(gameId) ? undefined : playerOf(serverId, gameId);
      if (playerId === undefined) return [];
      const cameAt = age === 'fresh' || age === 'misdated' ? now() : null;
      return [{ playerId, gesture, at: age === 'misdated' ? now() : at, cameAt }];
    }),
  );
}

function runsOf({ serverId, parts }: ServerParts): (RunToSave & { part: ReadPart })[] {
  return parts.flatMap((part) => {
    const { fileName, age = 'history', changes } = part;
    return changes.runs.map((run) => ({ ...run, serverId, part, fileName, age }));
  });
}

const filesOf = ({ serverId, parts }: ServerParts): LogFileChange[] =>
  parts.flatMap(({ file, changes }) => (file ? [{ serverId, ...file, tallies: changes.tallies }] : []));
