/** Work that is wanted more often than it has to be done. */
export interface Coalesced {
  /** The work runs once more, begun after this call. */
  request(): void;
  /** No more runs. Waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Runs the work at the first request at once, later ones together: one run at a time, begun at most every `gapMs`.
 * @param work must not reject
 */
export function coalesce(work: () => Promise<void>, gapMs: number): Coalesced {
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isWanted = false;
  let isStopped = false;
  let earliest = -Infinity;

  const schedule = (): void => {
    if (!isWanted || isStopped || running !== null || timer !== null) return;
    const waitMs = earliest - performance.now();
    if (waitMs <= 0) return run();
    timer = setTimeout(() => {
      timer = null;
      run();
    }, waitMs);
    timer.unref();
  };
  const run = (): void => {
    isWanted = false;
    earliest = performance.now() + gapMs;
    running = work().finally(() => {
      running = null;
      schedule();
    });
  };
  return {
    request() {
      isWanted = true;
      schedule();
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
