export type ConcurrencyLimit = ReturnType<typeof limitConcurrency>;

/** Lets a bounded number of pieces of work run at once; the others wait in the order in which they came. */
export function limitConcurrency(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  /** Waits for a free slot and returns a function that frees it; calling that again does nothing. */
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
    async run<T>(work: () => Promise<T>): Promise<T> {
      const release = await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
