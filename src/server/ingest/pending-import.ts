import type { Database } from '../store/database.ts';
import { findRun, saveRun } from '../store/log-runs.ts';
import { savePeople } from '../store/players.ts';
import { refreshStatistics } from '../store/statistics.ts';
import type { RunText } from './admin-log.ts';
import { Sightings } from './sightings.ts';
import type { RunTally } from './tally.ts';

/** A run that was read and is better than the store's copy, if that has one. */
export interface PendingRun extends RunText {
  fileName: string;
  tally: RunTally;
}

/** So many rows are worth a transaction of their own. */
const largeRows = 20_000;

/**
 * Whole files that were read and not yet written. Several go into the store in one transaction, because each
 * transaction computes the statistics of all players it touches anew.
 */
export class PendingImport {
  readonly #db: Database;
  readonly #serverId: string;
  readonly #projectId: string;
  readonly #now: () => number;
  #runs = new Map<string, PendingRun>();
  #sightings = new Sightings();
  #rows = 0;
  readonly #people = new Set<number>();

  constructor(db: Database, options: { serverId: string; projectId: string; now: () => number }) {
    this.#db = db;
    this.#serverId = options.serverId;
    this.#projectId = options.projectId;
    this.#now = options.now;
  }

  get isLarge(): boolean {
    return this.#rows >= largeRows;
  }

  /** Number of players whom what was written names. */
  get players(): number {
    return this.#people.size;
  }

  run(header: string): PendingRun | undefined {
    return this.#runs.get(header);
  }

  /** Takes in the runs of a file, each better than `run(header)`. */
  add(runs: readonly PendingRun[], sightings: Sightings): void {
    for (const run of runs) {
      this.#runs.set(run.header, run);
      this.#rows += run.tally.players.size;
    }
    this.#sightings.merge(sightings);
  }

  /** Writes everything that is pending, in one transaction. */
  async flush(): Promise<void> {
    const runs = this.#runs;
    const sightings = this.#sightings;
    this.#runs = new Map();
    this.#sightings = new Sightings();
    this.#rows = 0;
    if (runs.size === 0 && sightings.size === 0) return;
    await this.#db.transaction().execute(async (tx) => {
      const people = [...sightings.all];
      const { ids, merged } = await savePeople(
        tx,
        this.#projectId,
        people.map(([, person]) => person),
      );
      for (const id of ids) this.#people.add(id);
      const playerOf = new Map(people.map(([key], i) => [key, ids[i] as number]));
      const touched = new Set(merged);
      for (const run of runs.values()) {
        // Another process may have brought a longer copy in the meantime.
        const known = await findRun(tx, this.#serverId, run.header);
        if (known !== undefined && known.bytes >= run.bytes) continue;
        const rows = Array.from(
          run.tally.players,
          ([key, player]) => [playerOf.get(key) as number, player.effects()] as const,
        );
        const row = { ...run, serverId: this.#serverId };
        for (const id of await saveRun(tx, row, rows, this.#now())) touched.add(id);
        for (const [id] of rows) touched.add(id);
      }
      await refreshStatistics(tx, touched);
    });
  }
}
