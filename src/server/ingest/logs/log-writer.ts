import type { Database } from '../../store/engine/database.ts';
import { writeProject } from '../../store/engine/scopes.ts';
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
  /** With which the logs are read. */
  forgotten: ForgottenList;
  /** The stored copies of runs; updated with each run that is stored. */
  known?: Map<string, KnownRun>;
}

/**
 * Rows per transaction. The service reloads what it has cached after each, and the project's other writers wait for it, so
 * transactions should be neither many nor long. This many take a tenth of a second on an idle core.
 */
const fullRows = 10_000;

/**
 * Stores what was read of a server's logs: content and position in one transaction, so that everything counts exactly
 * once, however the process ends. What needs several transactions is a backlog, which changes the same players many
 * times, so their figures are derived once, at its end.
 */
export class LogWriter {
  readonly #db: Database;
  readonly #options: LogWriterOptions;
  #parts: ReadPart[] = [];
  #rows = 0;
  #isBacklog = false;
  readonly #people = new Set<number>();

  constructor(db: Database, options: LogWriterOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Number of players in what was stored. */
  get players(): number {
    return this.#people.size;
  }

  add(part: ReadPart): void {
    const { known } = this.#options;
    for (const { header, bytes, digest, rows } of part.changes.runs) {
      this.#rows += rows.size;
      if (bytes >= (known?.get(header)?.bytes ?? 0)) known?.set(header, { bytes, digest, isCurrent: true });
    }
    this.#rows += part.changes.sightings.size;
    this.#parts.push(part);
  }

  /** Stores what was added if it is enough for a transaction. */
  async storeIfFull(): Promise<void> {
    if (this.#rows >= fullRows) await this.storeAndGoOn();
  }

  /** Stores what was added; more will follow at once. */
  async storeAndGoOn(): Promise<void> {
    this.#isBacklog = true;
    await this.#store();
  }

  /** Stores the rest and brings all figures up to date. */
  async finish(): Promise<void> {
    await this.#store();
    if (this.#isBacklog) await refreshStale(this.#db);
    this.#isBacklog = false;
  }

  async #store(): Promise<void> {
    const parts = this.#parts;
    if (parts.length === 0) return;
    this.#parts = [];
    this.#rows = 0;
    const { serverId, projectId, timezone, forgotten } = this.#options;
    const stored = await writeProject(this.#db, projectId, async (tx) => {
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
    if (touched.size > fullRows / 10) this.#isBacklog = true;
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
