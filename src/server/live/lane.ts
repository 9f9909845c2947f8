/** Runs so many pieces of work at once and lets the rest wait in order. */
export type Lane = <T>(work: () => Promise<T>) => Promise<T>;

export function createLane(width: number): Lane {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < width) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever waits takes the place over.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
