import { systemClock, type Clock } from '../../../process/clock.ts';
import { type ConcurrencyLimit, limitConcurrency } from '../../../process/concurrency-limit.ts';
import type { Database } from '../../store/engine/database.ts';
import {
  forgetSourceErrors,
  saveSourceStates,
  type SourceChange,
} from '../../store/repositories/logs/source-states.ts';
import { refreshStale } from '../../store/repositories/players/stale-statistics.ts';
import { directFiles } from '../../files/direct-files.ts';
import type { Files } from '../../files/file-port.ts';
import { RemotePlaces } from '../../files/remote/remote-places.ts';
import { SourceFiles } from '../../files/remote/source-files.ts';
import type { LogFormats } from '../logs/log-format.ts';
import { SourcePace } from './source-pace.ts';
import { keyOf, type SourceOutcome, type SourceTask, SourceTasks } from './source-tasks.ts';
import type { Sources } from './sources.ts';

export interface SourceWatchOptions {
  /** The log formats of each game. */
  formats: LogFormats;
  files?: Files;
  remote?: RemotePlaces;
  /** Called as soon as a source has changed. */
  onOutcomes?: (outcomes: SourceOutcome[]) => void;
  clock?: Clock;
  /**
   * Of several watches in a process: how many sources all of them poll at once. Such a watch leaves alone what
   * concerns the sources of others: which places are open, problems, and stale statistics.
   */
  shared?: ConcurrencyLimit;
}

/** Concurrent polls: polling a server's logs or characters takes memory. */
export const pollsAtOnce = 8;

/** Follows the sources of the config. The position in each file is stored, for logs to the byte. */
export class SourceWatch {
  readonly #db: Database;
  readonly #files: Files;
  readonly #remote: RemotePlaces;
  readonly #onOutcomes: (outcomes: SourceOutcome[]) => void;
  readonly #clock: Clock;
  readonly #isShared: boolean;
  readonly #tasks: SourceTasks;
  readonly #pace: SourcePace;
  /** Results that are not stored yet, by source. */
  readonly #unstored = new Map<string, SourceChange>();
  #current: Sources | null = null;
  #errorsCleared: Promise<void> | null = null;

  constructor(
    db: Database,
    {
      formats,
      files = directFiles,
      remote = new RemotePlaces(),
      onOutcomes = () => undefined,
      clock = systemClock,
      shared,
    }: SourceWatchOptions,
  ) {
    this.#db = db;
    this.#files = files;
    this.#remote = remote;
    this.#onOutcomes = onOutcomes;
    this.#clock = clock;
    this.#isShared = shared !== undefined;
    this.#pace = new SourcePace(clock.monotonic);
    this.#tasks = new SourceTasks(db, new SourceFiles(files, remote), {
      formats,
      clock,
      limit: shared ?? limitConcurrency(pollsAtOnce),
      onProgress: (outcome) => onOutcomes([outcome]),
    });
  }

  /**
   * Reads what has changed since the last poll, in logs up to the last complete line; lifts the bans of files that
   * the config no longer names for a list; and writes bans made by hand. Sources are polled independently; one whose
   * last poll is still running is skipped. Never throws for a source that cannot be read. When `signal` is aborted,
   * it stops at the next block and keeps what was stored.
   */
  async importChanged(sources: Sources, signal?: AbortSignal): Promise<SourceOutcome[]> {
    return await this.#poll(sources, true, signal);
  }

  /** The same for sources that change from second to second: logs that are being written, and small files. */
  async followOn(sources: Sources, signal?: AbortSignal): Promise<SourceOutcome[]> {
    return await this.#poll(sources, false, signal);
  }

  /** Resolves when no poll is running. */
  async settled(): Promise<void> {
    await this.#pace.settled();
  }

  async #poll(sources: Sources, full: boolean, signal: AbortSignal | undefined): Promise<SourceOutcome[]> {
    // Problems of an earlier process will be found again, or are resolved.
    const owners = this.#isShared ? ownersOf(sources) : null;
    await (this.#errorsCleared ??= forgetSourceErrors(this.#db, owners).catch(() => undefined));
    if (sources !== this.#current) this.#restart(sources);
    this.#current = sources;
    // An import may have stopped before computing these figures. If the store is busy, the next full poll tries
    // again.
    if (full && !this.#isShared) await refreshStale(this.#db).catch(() => undefined);
    if (signal?.aborted === true) return [];
    const polls = this.#tasks
      .of(sources, signal)
      .flatMap(
        (task) => this.#pace.start(task, full, async (isFull) => await this.#pollOne(task, isFull)) ?? [],
      );
    return (await Promise.all(polls)).flat();
  }

  #restart({ places }: Sources): void {
    this.#pace.restart();
    this.#tasks.restart(new SourceFiles(this.#files, this.#remote, places));
    if (!this.#isShared) void this.#remote.keep([...(places?.values() ?? [])]);
  }

  async #pollOne(task: SourceTask, full: boolean): Promise<SourceOutcome[]> {
    const outcomes = await task.poll(full);
    if (outcomes.length > 0) {
      this.#pace.changed(task.key);
      this.#onOutcomes(outcomes);
    }
    if (outcomes.length > 0 || this.#unstored.size > 0) await this.#store(outcomes);
    return outcomes;
  }

  /** Stores the results. For logs only problems are stored here: their progress is stored with their data. */
  async #store(outcomes: readonly SourceOutcome[]): Promise<void> {
    for (const outcome of outcomes) {
      const { kind, id, path, report = null, error, recovered } = outcome;
      if (kind === 'logs' && error === undefined && recovered === undefined) continue;
      const key = keyOf(outcome);
      const problem = error ?? this.#tasks.problemOf(key);
      this.#unstored.set(key, { kind, ownerId: id, path, report, error: problem });
    }
    const changes = [...this.#unstored];
    this.#unstored.clear();
    try {
      await saveSourceStates(
        this.#db,
        changes.map(([, change]) => change),
        this.#clock.now(),
      );
    } catch {
      // A full disk refuses this write as well; the problem has been reported by then.
      for (const [key, change] of changes) if (!this.#unstored.has(key)) this.#unstored.set(key, change);
    }
  }
}

const ownersOf = ({ servers, banlists }: Sources): string[] => [...servers, ...banlists].map(({ id }) => id);
