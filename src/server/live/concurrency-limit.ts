/** Runs work now, or in its turn when too much is running. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs at most `most` pieces of work at once, in the order in which they came. */
export function limitConcurrency(most: number): Run {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next in line takes this place.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
