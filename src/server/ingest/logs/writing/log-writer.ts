import { systemClock } from '../../../../process/clock.ts';
import type { Database } from '../../../store/engine/database.ts';
import { letOthersWrite } from '../../../store/engine/in-steps.ts';
import { SliceSize } from '../../../store/engine/slice-size.ts';
import type { KnownRun } from '../../../store/repositories/logs/run-copies.ts';
import { refreshStale } from '../../../store/repositories/players/stale-statistics.ts';
import { type ProjectWriter, projectWriter } from './project-writer.ts';
import { type ReadPart, rowsOf, takeSlice } from './read-parts.ts';
import type { ServerParts } from './server-parts.ts';

interface LogWriterOptions extends Pick<ServerParts, 'serverId' | 'timezone' | 'forgotten' | 'now'> {
  projectId: string;
  /** Milliseconds from any moment, by which the size of a backlog's transactions follows their time. */
  monotonic?: (() => number) | undefined;
  /** The stored copies of runs; updated with each run that is stored. */
  known?: Map<string, KnownRun>;
  /** Called before it waits for a transaction that will hold little of this server. */
  onWait?: () => void;
}

/** Rows of a server that may wait in memory while others are polled. */
const smallRows = 1_000;

/**
 * Stores what was read of a server's logs, together with the project's other servers: the position is stored in one
 * transaction with content, or after it, and no run counts twice, so that everything counts exactly once, however the
 * process ends. What needs several transactions is a backlog, which changes the same players many times, so their figures
 * are derived once, at its end.
 */
export class LogWriter {
  readonly #db: Database;
  readonly #options: LogWriterOptions;
  readonly #writer: ProjectWriter;
  readonly #parts: ReadPart[] = [];
  #rows = 0;
  /** Of people and players of runs in a transaction. */
  readonly #fullRows: SliceSize;
  readonly #partBytes: SliceSize;
  #isBacklog = false;
  readonly #people = new Set<number>();

  constructor(db: Database, options: LogWriterOptions) {
    this.#db = db;
    this.#options = options;
    this.#fullRows = new SliceSize(db, { first: 500, most: 20_000, least: 500 });
    this.#partBytes = new SliceSize(db, { first: 512 * 1024, most: 4 * 1024 * 1024, least: 64 * 1024 });
    this.#writer = projectWriter(db, options.projectId);
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
    this.#rows += rowsOf([part]);
    this.#parts.push(part);
  }

  /** Stores what was added as far as it fills transactions; more will follow at once. */
  async storeIfFull(): Promise<void> {
    while (this.#rows >= this.#fullRows.current) {
      this.#isBacklog = true;
      await this.#storeSlice();
      await letOthersWrite();
    }
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
    if (this.#parts.length > 0 && !this.#isBacklog && this.#rows <= smallRows) this.#options.onWait?.();
    while (this.#parts.length > 0) {
      await this.#storeSlice();
      if (this.#parts.length > 0) await letOthersWrite();
    }
  }

  async #storeSlice(): Promise<void> {
    const parts = takeSlice(this.#parts, this.#fullRows.current);
    const rows = rowsOf(parts);
    this.#rows -= rows;
    this.#isBacklog ||= this.#parts.length > 0;
    const db = this.#db;
    const isBacklog = this.#isBacklog;
    const { monotonic = systemClock.monotonic } = this.#options;
    const stored = await this.#writer.store({ ...this.#options, monotonic, db, parts, isBacklog });
    const { outcomes, players, hasStale, ms } = stored;
    if (isBacklog) {
      this.#fullRows.took(rows, ms);
      this.#partBytes.took(bytesOf(parts), ms);
    }
    for (const id of players) this.#people.add(id);
    this.#isBacklog ||= hasStale;
    for (const [part, header, outcome] of outcomes) part.onStored?.(header, outcome);
  }
}

/** How much of their files these parts are. */
const bytesOf = (parts: readonly ReadPart[]): number =>
  parts.reduce(
    (sum, { file }) => sum + Math.max(0, (file?.now.position ?? 0) - (file?.previous?.position ?? 0)),
    0,
  );
