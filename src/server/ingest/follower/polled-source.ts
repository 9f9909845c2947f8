import type { AnnouncedRestart } from 'dayz-files';
import type { FileAccess, Files, Place } from 'game-files';
import type { Clock } from '../../../process/clock.ts';
import type { ConcurrencyLimit } from '../../../process/concurrency-limit.ts';
import type { ProblemChange } from '../../../process/problem-log.ts';
import type { Database } from '../../store/engine/database.ts';
import type { SavedLogs, ServerLogs } from '../../store/repositories/logs/save-logs.ts';
import { saveSourceStates, type SourceChange } from '../../store/repositories/logs/source-states.ts';
import type { BanFileReport } from '../bans/import.ts';
import type { StoreLogs } from '../logs/writing/store-together.ts';
import type { LogFolderReport, ReadProgress } from '../logs/following/log-folder-report.ts';
import type { PlayersDbReport } from '../players/import-players-db.ts';
import type { PollProblems, PollResult } from '../poll-problems.ts';
import type { Source } from './sources.ts';

type SourceReport = LogFolderReport | PlayersDbReport | AnnouncedRestart | BanFileReport;

/** What has changed with a source. A problem is reported once, and once more when it is resolved. */
export interface SourceOutcome extends Source, ProblemChange {
  report?: SourceReport;
  /** How far a long read is. */
  progress?: ReadProgress;
  keptBans?: true;
}

/** How a source of the config is read. */
export interface SourcePlan extends Source {
  /** Where it lies; undefined: on this machine. */
  place?: Place | undefined;
  /** All that its reader depends on: if they change, the source is opened again. */
  settings: object;
  open(at: ReaderContext): SourceReader;
}

/**
 * Reads what has changed; null: the source was not read, so that a problem that is open stays so.
 * @param full false: only what changes from second to second
 */
export type SourceReader = (full: boolean, signal: AbortSignal) => Promise<PollResult<SourceReport> | null>;

/** What the sources of a lease have in common. */
export interface SourceScope {
  /** Writes under the fence of the lease. */
  db: Database;
  /** Stores what is read of logs, together with that of other servers. */
  store: StoreLogs;
  clock: Clock;
  problems: PollProblems;
  /** How many large sources of a place are polled at once: one that does not answer delays its own. */
  limitAt(place: Place | undefined): ConcurrencyLimit;
  /** What every first poll waits for. */
  ready: Promise<unknown>;
  filesAt(place: Place | undefined): Files;
  onOutcome(outcome: SourceOutcome): void;
  /** Whether all files of a ban list were polled twice since the config changed. Waits for running polls. */
  isListRead(listId: string): Promise<boolean>;
}

/** What a reader works with. */
export interface ReaderContext extends Pick<SourceScope, 'db' | 'store' | 'clock' | 'isListRead'> {
  files: FileAccess;
  onProgress(progress: ReadProgress): void;
}

/** Reading these takes memory. */
const largeKinds = new Set<Source['kind']>(['logs', 'playersDb']);
/** Local sources are polled at every call, about once a second, so this pace needs no timing here. */
const localPaceMs = 1_000;
/** A remote source that has not changed for a minute is polled less often: each poll costs traffic. */
const quietAfterMs = 60_000;
const quietPaceMs = 7_000;

/** A source that is followed: one poll at a time, as often as its host and its changes suggest. */
export class PolledSource {
  readonly plan: SourcePlan;
  readonly scope: SourceScope;
  readonly #previousPolls: Promise<void> | undefined;
  readonly #files: FileAccess;
  readonly #read: SourceReader;
  readonly #stopping = new AbortController();
  /** The latest change, if it is not stored yet. */
  #unstored: SourceChange | null = null;
  #running: Promise<SourceOutcome | null> | null = null;
  #isFullDue = false;
  /** Frees the slot that a large source has of the limit at its place. */
  #freeSlot: () => void = () => undefined;
  /** Number of polls that have ended. */
  #polls = 0;
  /** When the latest poll began, by the monotonic clock. */
  #begunAt = Number.NEGATIVE_INFINITY;
  /** When a poll last found something new, by the monotonic clock. */
  #changedAt = Number.NEGATIVE_INFINITY;

  /** @param previousPolls those of the same source with other settings, for which its first poll waits */
  constructor(plan: SourcePlan, scope: SourceScope, previousPolls: Promise<void> | undefined) {
    this.plan = plan;
    this.scope = scope;
    this.#previousPolls = previousPolls;
    const { kind, id, path, place } = plan;
    this.#files = scope.filesAt(place).of(keyOf(plan));
    this.#read = plan.open({
      ...scope,
      files: this.#files,
      store: async (logs, now) => await this.#storeLogs(logs, now),
      onProgress: (progress) => this.#report({ kind, id, path, progress }),
    });
  }

  /** Whether it was polled twice: a file that has bans is not read before the second poll. */
  get wasRead(): boolean {
    return this.#polls > 1;
  }

  /**
   * Starts a poll, which resolves with what has changed; null: nothing.
   * Null at once: it is not due, or the latest one is still running; a full one is then made up for.
   * @param full whether to check everything, not only what changes from second to second
   */
  poll(full: boolean): Promise<SourceOutcome | null> | null {
    this.#isFullDue ||= full;
    const isFull = this.#isFullDue;
    if (this.#running !== null || (this.plan.kind === 'playersDb' && !isFull)) return null;
    const now = this.scope.clock.monotonic();
    const { pollEveryMs } = this.#files;
    if (pollEveryMs > localPaceMs && now - this.#begunAt < this.#paceMs(pollEveryMs)) return null;
    this.#isFullDue = false;
    this.#begunAt = now;
    this.#running = this.#poll(isFull).finally(() => (this.#running = null));
    return this.#running;
  }

  /** Lets a poll stop at its next block. What it finds after that is another process's to report. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Resolves when no poll is running. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  /** The time from one poll to the next. Calls come about once a second, so half a second less: one that comes early counts. */
  #paceMs(everyMs: number): number {
    const quietMs = this.scope.clock.monotonic() - this.#changedAt;
    return (quietMs < quietAfterMs ? everyMs : Math.max(everyMs, quietPaceMs)) - localPaceMs / 2;
  }

  async #takeSlot(): Promise<void> {
    const { kind, place } = this.plan;
    if (largeKinds.has(kind)) this.#freeSlot = await this.scope.limitAt(place).acquire();
  }

  /**
   * Stores what was read of logs. What is no backlog takes little memory, so its slot is free while it waits to be stored:
   * others are read meanwhile, and are stored together with it (`store-together.ts`).
   */
  async #storeLogs(logs: ServerLogs, now: number): Promise<SavedLogs> {
    const { store } = this.scope;
    if (logs.isBacklog) return await store(logs, now);
    this.#freeSlot();
    try {
      return await store(logs, now);
    } finally {
      await this.#takeSlot();
    }
  }

  async #poll(full: boolean): Promise<SourceOutcome | null> {
    const { clock, ready, problems } = this.scope;
    const { kind, id, path } = this.plan;
    const { signal } = this.#stopping;
    await Promise.all([ready, this.#previousPolls]);
    await this.#takeSlot();
    let change;
    try {
      if (signal.aborted) return null;
      change = await problems.attempt(keyOf(this.plan), () => this.#read(full, signal));
    } finally {
      this.#freeSlot();
    }
    this.#polls += 1;
    const outcome: SourceOutcome | null = change && { kind, id, path, ...change };
    if (outcome !== null) {
      this.#changedAt = clock.monotonic();
      this.#report(outcome);
    }
    await this.#store(outcome);
    return outcome;
  }

  #report(outcome: SourceOutcome): void {
    if (!this.#stopping.signal.aborted) this.scope.onOutcome(outcome);
  }

  /** Stores what has changed. For logs only problems are stored here: their progress is stored with their data. */
  async #store(outcome: SourceOutcome | null): Promise<void> {
    const { db, clock, problems } = this.scope;
    const { kind, id: ownerId, path } = this.plan;
    const isProblem = outcome?.error !== undefined || outcome?.recovered !== undefined;
    if (outcome !== null && (kind !== 'logs' || isProblem)) {
      const { report = null } = outcome;
      this.#unstored = { kind, ownerId, path, report, error: problems.current(keyOf(this.plan)) };
    }
    if (this.#unstored === null) return;
    try {
      await saveSourceStates(db, [this.#unstored], clock.now());
      this.#unstored = null;
    } catch {
      // A full disk refuses this write as well; the problem has been reported by then. The next poll tries again.
    }
  }
}

/** What identifies a source, whatever its settings are. */
export const keyOf = ({ kind, id, path }: Source): string => JSON.stringify([kind, id, path]);
