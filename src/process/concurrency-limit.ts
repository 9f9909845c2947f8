/** Lets a bounded number of pieces of work run at once; the others wait in the order in which they came. */
export interface ConcurrencyLimit {
  /** Waits for a free slot and returns a function that frees it; calling that again does nothing. */
  acquire(): Promise<() => void>;
  /** Runs work in a slot. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function limitConcurrency(most: number): ConcurrencyLimit {
  let free = most;
  const waiting: (() => void)[] = [];
  const acquire = async (): Promise<() => void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      // Passes this slot on to the next in line.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    };
  };
  return {
    acquire,
    async run(work) {
      const release = await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
