import type { SourceOutcome, SourceTask } from './source-tasks.ts';

/** Local sources are polled at every call, about once a second, so this pace needs no timing here. */
const ownPaceMs = 1_000;
/** A remote source that has not changed for a minute is polled less often: each poll costs traffic. */
const restAfterMs = 60_000;
const restEveryMs = 7_000;

/** Starts polls: of each source one at a time, and as often as its host and its changes suggest. */
export class SourcePace {
  readonly #monotonic: () => number;
  /** By source, as all of these. */
  readonly #running = new Map<string, Promise<SourceOutcome[]>>();
  readonly #fullPollPending = new Set<string>();
  readonly #begunAt = new Map<string, number>();
  /** When it last had changed. */
  readonly #changedAt = new Map<string, number>();

  /** @param monotonic milliseconds */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** The config has changed: each source is due. */
  restart(): void {
    this.#begunAt.clear();
  }

  /**
   * Starts a poll. Null: it is not due, or the latest one is still running; a full one is then made up for.
   * @param poll the same as `task.poll`, and what is to be done before the next one
   */
  start(
    task: SourceTask,
    full: boolean,
    poll: (full: boolean) => Promise<SourceOutcome[]>,
  ): Promise<SourceOutcome[]> | null {
    const { key } = task;
    if (this.#running.has(key)) {
      if (full) this.#fullPollPending.add(key);
      return null;
    }
    const isFull = this.#fullPollPending.delete(key) || full;
    if (task.onlyFull && !isFull) return null;
    const now = this.#monotonic();
    if (task.everyMs > ownPaceMs && now - (this.#begunAt.get(key) ?? -Infinity) < this.#paceMs(task)) {
      if (isFull) this.#fullPollPending.add(key);
      return null;
    }
    this.#begunAt.set(key, now);
    const running = poll(isFull).finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }

  /** A source has changed. */
  changed(key: string): void {
    this.#changedAt.set(key, this.#monotonic());
  }

  /** Resolves when no poll is running. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Less half of what lies between two calls. */
  #paceMs({ key, everyMs }: SourceTask): number {
    const quietMs = this.#monotonic() - (this.#changedAt.get(key) ?? -Infinity);
    const paceMs = quietMs < restAfterMs ? everyMs : Math.max(everyMs, restEveryMs);
    return paceMs - ownPaceMs / 2;
  }
}
