import type { Database } from '../../store/database.ts';
import { type KnownRun, saveRuns } from '../../store/log-runs.ts';
import type { RunPlayerRow } from '../../store/run-figures.ts';
import { savePeople } from '../../store/players.ts';
import { requireTimeZone } from '../../store/server-time-zone.ts';
import { markStale, refreshStale } from '../../store/stale-statistics.ts';
import { refreshStatistics } from '../../store/statistics.ts';
import type { RunText } from '../../games/dayz/admin-log.ts';
import { type SightedPerson, Sightings } from '../counting/sightings.ts';

/** A run that was read and is better than the store's copy, if that has one. */
export interface PendingRun extends RunText {
  fileName: string;
  /** By the game's own id. */
  players: (readonly [gameId: string, row: RunPlayerRow])[];
}

/**
 * So many rows make a transaction. After each the service reads anew what it remembers, and whoever else writes waits
 * for it, so that there should be neither many of them nor long ones: it takes a tenth of a second on a core of its own.
 */
const largeRows = 10_000;

/**
 * Whole files that were read and not yet written. Several go into the store in one transaction. A backlog touches the
 * same players with each, so their figures are computed once, at the end.
 */
export class PendingImport {
  readonly #db: Database;
  readonly #serverId: string;
  readonly #projectId: string;
  readonly #timezone: string | null;
  readonly #now: () => number;
  #runs = new Map<string, PendingRun>();
  #sightings = new Sightings();
  #rows = 0;
  #deferred = false;
  readonly #people = new Set<number>();
  /** The copies of runs that are in the store, or will be with the next flush. */
  readonly #known: Map<string, KnownRun>;

  /**
   * @param known the runs of the server that are in the store
   * @param options.timezone in which moments were computed; left out: they came as they are
   */
  constructor(
    db: Database,
    known: Map<string, KnownRun>,
    options: { serverId: string; projectId: string; timezone?: string; now: () => number },
  ) {
    this.#db = db;
    this.#known = known;
    this.#serverId = options.serverId;
    this.#projectId = options.projectId;
    this.#timezone = options.timezone ?? null;
    this.#now = options.now;
  }

  get isLarge(): boolean {
    return this.#rows >= largeRows;
  }

  /** Number of players whom what was written names. */
  get players(): number {
    return this.#people.size;
  }

  /** The best copy of a run so far. */
  known(header: string): KnownRun | undefined {
    return this.#known.get(header);
  }

  /** Takes in the runs of a file, each longer than what was known of it. */
  add(runs: readonly PendingRun[], sightings: readonly SightedPerson[]): void {
    for (const run of runs) {
      this.#runs.set(run.header, run);
      this.#known.set(run.header, { bytes: run.bytes, digest: run.digest, isCurrent: true });
      this.#rows += run.players.length;
    }
    this.#rows += sightings.length;
    this.#sightings.merge(sightings);
  }

  /** Writes what is pending and is not all, in one transaction. */
  async flush(): Promise<void> {
    this.#deferred = true;
    await this.#write();
  }

  /** Writes what is left and sees that all figures are up to date; so little that it is all goes in at once. */
  async finish(): Promise<void> {
    await this.#write();
    await refreshStale(this.#db);
  }

  async #write(): Promise<void> {
    const runs = this.#runs;
    const sightings = this.#sightings;
    this.#runs = new Map();
    this.#sightings = new Sightings();
    this.#rows = 0;
    if (runs.size === 0 && sightings.size === 0) return;
    await this.#db.transaction().execute(async (tx) => {
      if (this.#timezone !== null) await requireTimeZone(tx, this.#serverId, this.#timezone);
      const people = [...sightings.all];
      const { ids, merged } = await savePeople(
        tx,
        this.#projectId,
        people.map(([, person]) => person),
        this.#serverId,
      );
      for (const id of ids) this.#people.add(id);
      const playerOf = new Map(people.map(([key], i) => [key, ids[i] as number]));
      const rows = Array.from(runs.values(), (run) => ({
        ...run,
        players: run.players.map(([gameId, row]) => [playerOf.get(gameId) as number, row] as const),
      }));
      const touched = await saveRuns(tx, this.#serverId, rows, this.#now());
      for (const id of merged) touched.add(id);
      if (this.#deferred) await markStale(tx, touched);
      else await refreshStatistics(tx, touched);
    });
  }
}
