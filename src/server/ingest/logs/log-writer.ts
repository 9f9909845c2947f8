import type { Database } from '../../store/engine/database.ts';
import { systemClock } from '../../../process/clock.ts';
import { writeProject } from '../../store/engine/scopes.ts';
import { letOthersWrite, SliceSize } from '../../store/engine/slice-size.ts';
import { type LogFile, saveLogFiles } from '../../store/repositories/logs/log-files.ts';
import { saveRuns } from '../../store/repositories/logs/log-runs.ts';
import { type RosterAge, saveRoster } from '../../store/repositories/logs/rosters.ts';
import { identityOfGameId } from '../../store/repositories/players/person-identity.ts';
import { savePeople } from '../../store/repositories/players/players.ts';
import type { PersonSeen } from '../../store/repositories/players/sightings.ts';
import { nobodyOf } from '../../store/repositories/rights/erase-player.ts';
import {
  type ForgottenList,
  isPseudonym,
  ListChangedError,
} from '../../store/repositories/rights/forgotten-list.ts';
import type { KnownRun, RunOutcome } from '../../store/repositories/logs/run-copies.ts';
import { requireSame } from '../../store/repositories/projects/server-time-zone.ts';
import { markStale, refreshStale } from '../../store/repositories/players/stale-statistics.ts';
import { refreshStatistics } from '../../store/repositories/players/statistics.ts';
import { Sightings } from '../counting/sightings.ts';
import type { LogChanges } from './log-counter.ts';

/** A part of a file that was read. */
export interface ReadPart {
  /** The file name to be stored with runs. */
  fileName: string;
  changes: LogChanges;
  /** Whether it is new in a folder that is followed; left out: it is history. */
  isLive?: boolean;
  /** Whether its lines were written just now, although their times say something else. */
  isJustNow?: boolean;
  /** The file's new state, and its previous one (null: it is new); left out: its state is not stored. */
  file?: { now: LogFile; previous: Pick<LogFile, 'position'> | null };
  /** How old the part's information is about who is on; left out: it has none. */
  rosterAge?: RosterAge;
  /** Called for each run after it was stored. */
  onStored?: (header: string, outcome: RunOutcome) => void;
}

export interface LogWriterOptions {
  serverId: string;
  projectId: string;
  /** The zone in which moments were computed; null: they were not local times. */
  timezone: string | null;
  now: () => number;
  monotonic?: (() => number) | undefined;
  /** With which the logs are read. */
  forgotten: ForgottenList;
  /** The stored copies of runs; updated with each run that is stored. */
  known?: Map<string, KnownRun>;
}

/** Of the players whose figures a transaction derives itself, and does not leave to the end of the backlog. */
const fewPlayers = 1_000;

/**
 * Stores what was read of a server's logs: the position is stored in one transaction with content, or after it, and no run
 * counts twice, so that everything counts exactly once, however the process ends. What needs several transactions is a
 * backlog, which changes the same players many times, so their figures are derived once, at its end.
 */
export class LogWriter {
  readonly #db: Database;
  readonly #options: LogWriterOptions;
  readonly #monotonic: () => number;
  #parts: ReadPart[] = [];
  #rows = 0;
  /** Of people and players of runs in a transaction. */
  readonly #fullRows = new SliceSize({ first: 500, most: 20_000 });
  readonly #partBytes = new SliceSize({ first: 512 * 1024, most: 4 * 1024 * 1024 });
  #isBacklog = false;
  readonly #people = new Set<number>();

  constructor(db: Database, options: LogWriterOptions) {
    this.#db = db;
    this.#options = options;
    this.#monotonic = options.monotonic ?? systemClock.monotonic;
  }

  /** How much of a file that is followed to read between two transactions. */
  get partBytes(): number {
    return this.#partBytes.current;
  }

  /** Number of players in what was stored. */
  get players(): number {
    return this.#people.size;
  }

  add(part: ReadPart): void {
    const { known } = this.#options;
    for (const { header, bytes, digest } of part.changes.runs) {
      if (bytes >= (known?.get(header)?.bytes ?? 0)) known?.set(header, { bytes, digest, isCurrent: true });
    }
    this.#rows += rowsOf(part);
    this.#parts.push(part);
  }

  /** Stores what was added if it is enough for a transaction. */
  async storeIfFull(): Promise<void> {
    if (this.#rows >= this.#fullRows.current) await this.storeAndGoOn();
  }

  /** Stores what was added; more will follow at once. */
  async storeAndGoOn(): Promise<void> {
    this.#isBacklog = true;
    await this.#store();
    await letOthersWrite();
  }

  /** Stores the rest and brings all figures up to date. */
  async finish(): Promise<void> {
    await this.#store();
    if (this.#isBacklog) await refreshStale(this.#db);
    this.#isBacklog = false;
  }

  async #store(): Promise<void> {
    const parts = this.#parts;
    this.#parts = [];
    this.#rows = 0;
    while (parts.length > 0) {
      const slice = takeSlice(parts, this.#fullRows.current);
      if (parts.length > 0) this.#isBacklog = true;
      await this.#storeSlice(slice);
      if (parts.length > 0) await letOthersWrite();
    }
  }

  async #storeSlice(parts: readonly ReadPart[]): Promise<void> {
    const { serverId, projectId, timezone, forgotten } = this.#options;
    let begunAt = 0;
    const stored = await writeProject(this.#db, projectId, async (tx) => {
      begunAt = this.#monotonic();
      const { keepsPositions } = await requireSame(tx, serverId, { timezone, list: forgotten });
      const outcomes = await this.#storeChanges(tx, parts, keepsPositions);
      if (outcomes === null) return null;
      const files = parts.flatMap(({ file, changes }) =>
        file ? [{ ...file, tallies: changes.tallies }] : [],
      );
      await saveLogFiles(tx, serverId, files);
      for (const { changes, rosterAge } of parts) {
        if (changes.roster !== null && rosterAge !== undefined)
          await saveRoster(tx, serverId, changes.roster, rosterAge);
      }
      return outcomes;
    });
    const ms = this.#monotonic() - begunAt;
    this.#fullRows.took(sumOf(parts, rowsOf), ms);
    this.#partBytes.took(sumOf(parts, bytesOf), ms);
    if (stored === null) throw new ListChangedError();
    for (const [part, header, outcome] of stored) part.onStored?.(header, outcome);
  }

  /** Null: new identifiers of forgotten people were found, and only these are stored. */
  async #storeChanges(
    tx: Database,
    parts: readonly ReadPart[],
    keepsPositions: boolean,
  ): Promise<[ReadPart, string, RunOutcome][] | null> {
    const { serverId, projectId, now } = this.#options;
    const sightings = new Sightings();
    for (const { changes } of parts) sightings.merge(changes.sightings.all);
    const runs = parts.flatMap((part) => part.changes.runs.map((run) => ({ part, run })));
    const others = new Set(runs.flatMap(({ run }) => [...run.rows.keys()]));
    const saved = await this.#savePeople(tx, sightings, others);
    if (saved === null) return null;
    const { ids, touched } = saved;
    const isAnonymous = runs.some(({ run }) => [...run.rows.keys()].some(isPseudonym));
    const nobody = isAnonymous ? await nobodyOf(tx, projectId) : null;
    const playerOf = (gameId: string): number => (isPseudonym(gameId) ? nobody : ids.get(gameId)) as number;
    const rows = runs.map(({ part, run: { rows, deaths, ...run } }) => ({
      ...run,
      fileName: part.fileName,
      isLive: part.isLive === true,
      isJustNow: part.isJustNow === true,
      players: [...rows].flatMap(([gameId, row]) =>
        isPseudonym(gameId) ? [] : [[playerOf(gameId), row] as const],
      ),
      deaths: deaths.map(({ victim, killer, ...death }) => ({
        ...death,
        gameId: victim,
        victimId: playerOf(victim),
        killerId: killer === null ? null : playerOf(killer),
      })),
    }));
    const { outcomes, changed } = await saveRuns(tx, serverId, rows, { now: now(), keepsPositions });
    for (const id of changed) touched.add(id);
    // With the first log of a server, figures of everybody in its players.db may come from another source.
    if (touched.size > fewPlayers) this.#isBacklog = true;
    if (this.#isBacklog) await markStale(tx, touched);
    else await refreshStatistics(tx, touched);
    return runs.map(({ part, run }, i) => [part, run.header, outcomes[i] as RunOutcome]);
  }

  /**
   * Stores the people who were seen, and finds those of the runs who were seen before this part of the file. Returns their
   * players by the game's id, and the players into which others were merged; null: the list of forgotten people has grown.
   */
  async #savePeople(
    tx: Database,
    sightings: Sightings,
    gameIds: ReadonlySet<string>,
  ): Promise<{ ids: Map<string, number>; touched: Set<number> } | null> {
    const seen = [...sightings.all].filter(([key]) => !isPseudonym(key));
    const known = new Set(seen.map(([key]) => key));
    const others = [...gameIds].filter((id) => !known.has(id) && !isPseudonym(id));
    const people = [...seen, ...others.map((id) => [id, unseen(id)] as const)];
    const { serverId, projectId, forgotten } = this.#options;
    const { ids, merged, listHasGrown } = await savePeople(
      tx,
      projectId,
      people.map(([, person]) => person),
      serverId,
      forgotten,
    );
    if (listHasGrown) return null;
    const players = new Map<string, number>();
    people.forEach(([key], i) => {
      const id = ids[i] ?? null;
      if (id === null) return;
      players.set(key, id);
      if (i < seen.length) this.#people.add(id);
    });
    return { ids: players, touched: new Set(merged) };
  }
}

const unseen = (gameId: string): PersonSeen => ({
  identity: identityOfGameId(gameId),
  names: [],
  firstSeenAt: null,
  lastSeenAt: null,
});

const rowsOfRuns = (runs: LogChanges['runs']): number => runs.reduce((sum, { rows }) => sum + rows.size, 0);
const rowsOf = ({ changes: { sightings, runs } }: ReadPart): number => sightings.size + rowsOfRuns(runs);
/** How much of its file it is. */
const bytesOf = ({ file }: ReadPart): number =>
  file === undefined ? 0 : Math.max(0, file.now.position - (file.previous?.position ?? 0));
const sumOf = (parts: readonly ReadPart[], of: (part: ReadPart) => number): number =>
  parts.reduce((sum, part) => sum + of(part), 0);

/** Removes and returns the first of the parts, of about so many rows, and at least one. */
function takeSlice(parts: ReadPart[], fullRows: number): ReadPart[] {
  const slice: ReadPart[] = [];
  for (let left = fullRows; left > 0;) {
    const part = parts.shift();
    if (part === undefined) break;
    const rows = rowsOf(part);
    // What says who is on is a part of a run, which is stored at once.
    if (rows <= left || part.rosterAge !== undefined) slice.push(part);
    else {
      const [first, rest] = splitPart(part, left);
      slice.push(first);
      if (rest !== null) parts.unshift(rest);
    }
    left -= rows;
  }
  return slice;
}

/**
 * A file with several runs can be stored run by run: how far it was read is stored with the last, and a run that is stored
 * already counts no second time. People are stored before their runs.
 */
function splitPart(part: ReadPart, rows: number): [first: ReadPart, rest: ReadPart | null] {
  const { changes } = part;
  const sightings = changes.sightings.splice(rows);
  const runs = [...changes.runs];
  const firstRuns: typeof runs = [];
  for (let left = rows - sightings.size; left > 0 && runs.length > 0;) {
    const run = runs.shift() as (typeof runs)[number];
    firstRuns.push(run);
    left -= run.rows.size;
  }
  if (runs.length === 0 && changes.sightings.size === 0)
    return [{ ...part, changes: { ...changes, sightings, runs: firstRuns } }, null];
  const { file: _, ...first } = part;
  return [
    { ...first, changes: { ...changes, sightings, runs: firstRuns } },
    { ...part, changes: { ...changes, runs } },
  ];
}
