import type { Database } from '../../store/database.ts';
import { findGamePlayers } from '../../store/game-players.ts';
import { type LogFile, saveLogFiles } from '../../store/log-files.ts';
import { saveRuns } from '../../store/log-runs.ts';
import { type PersonSeen, savePeople } from '../../store/players.ts';
import type { KnownRun, RunOutcome } from '../../store/run-copies.ts';
import { requireTimeZone } from '../../store/server-time-zone.ts';
import { markStale, refreshStale } from '../../store/stale-statistics.ts';
import { refreshStatistics } from '../../store/statistics.ts';
import { identityOfGameId, Sightings } from '../counting/sightings.ts';
import type { LogChanges } from './log-reading.ts';

/** A part of a file that was read. */
export interface ReadPart {
  /** Of the file that runs are noted with. */
  fileName: string;
  changes: LogChanges;
  /** How far the file was read, and where it stood before (null: it is new); left out: that is not noted. */
  file?: { now: LogFile; former: Pick<LogFile, 'position'> | null };
  /** Called for each run once it is stored. */
  onStored?: (header: string, outcome: RunOutcome) => void;
}

export interface LogWriterOptions {
  serverId: string;
  projectId: string;
  /** In which moments were computed; null: they came as they are. */
  timezone: string | null;
  now: () => number;
  /** The copies of runs in the store; kept up to date with what is read. */
  known?: Map<string, KnownRun>;
}

/**
 * So much goes into one transaction. After each the service reads anew what it remembers, and whoever else writes waits
 * for it, so that there should be neither many of them nor long ones: it takes a tenth of a second on a core of its own.
 */
const fullRows = 10_000;

/**
 * Stores what was read of a server's logs: what it says and how far it goes in one transaction, so that whatever ends
 * the process, everything counts exactly once. What fills several transactions is a backlog: it touches the same players
 * again and again, so their figures are derived once, at its end.
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

  /** Number of players whom what was stored names. */
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

  /** Stores what was added when it is enough for a transaction. */
  async storeIfFull(): Promise<void> {
    if (this.#rows >= fullRows) await this.storeAndGoOn();
  }

  /** Stores what was added; more will come at once. */
  async storeAndGoOn(): Promise<void> {
    this.#isBacklog = true;
    await this.#store();
  }

  /** Stores the rest and sees that all figures are up to date. */
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
    const { serverId, timezone } = this.#options;
    const stored = await this.#db.transaction().execute(async (tx) => {
      if (timezone !== null) await requireTimeZone(tx, serverId, timezone);
      const outcomes = await this.#storeChanges(tx, parts);
      const files = parts.flatMap(({ file, changes }) =>
        file ? [{ ...file, tallies: changes.tallies }] : [],
      );
      await saveLogFiles(tx, serverId, files);
      return outcomes;
    });
    for (const [part, header, outcome] of stored) part.onStored?.(header, outcome);
  }

  async #storeChanges(tx: Database, parts: readonly ReadPart[]): Promise<[ReadPart, string, RunOutcome][]> {
    const { serverId, now } = this.#options;
    const sightings = new Sightings();
    for (const { changes } of parts) sightings.merge(changes.sightings.all);
    const runs = parts.flatMap((part) => part.changes.runs.map((run) => ({ part, run })));
    const { ids, touched } = await this.#savePeople(tx, sightings);
    await this.#findOthers(
      tx,
      runs.flatMap(({ run }) => [...run.rows.keys()]),
      ids,
    );
    const rows = runs.map(({ part, run: { rows, ...run } }) => ({
      ...run,
      fileName: part.fileName,
      players: Array.from(rows, ([gameId, row]) => [ids.get(gameId) as number, row] as const),
    }));
    const { outcomes, changed } = await saveRuns(tx, serverId, rows, now());
    for (const id of changed) touched.add(id);
    if (this.#isBacklog) await markStale(tx, touched);
    else await refreshStatistics(tx, touched);
    return runs.map(({ part, run }, i) => [part, run.header, outcomes[i] as RunOutcome]);
  }

  /** Stores who was seen. Returns their players by the game's id, and those into whom others were merged. */
  async #savePeople(
    tx: Database,
    sightings: Sightings,
  ): Promise<{ ids: Map<string, number>; touched: Set<number> }> {
    const people = [...sightings.all];
    const { serverId, projectId } = this.#options;
    const { ids, merged } = await savePeople(
      tx,
      projectId,
      people.map(([, person]) => person),
      serverId,
    );
    for (const id of ids) this.#people.add(id);
    return { ids: new Map(people.map(([key], i) => [key, ids[i] as number])), touched: new Set(merged) };
  }

  /** Adds the players of a run who were seen in it before this part of its file. */
  async #findOthers(tx: Database, gameIds: readonly string[], ids: Map<string, number>): Promise<void> {
    const { projectId, serverId } = this.#options;
    const others = [...new Set(gameIds)].filter((id) => !ids.has(id));
    for (const [gameId, id] of await findGamePlayers(tx, projectId, others)) ids.set(gameId, id);
    const missing = others.filter((id) => !ids.has(id));
    if (missing.length === 0) return;
    const created = await savePeople(tx, projectId, missing.map(unseen), serverId);
    missing.forEach((gameId, i) => ids.set(gameId, created.ids[i] as number));
  }
}

const unseen = (gameId: string): PersonSeen => ({
  identity: identityOfGameId(gameId),
  names: [],
  firstSeenAt: null,
  lastSeenAt: null,
});
