/** Counts values in buckets, for a histogram of Prometheus. */
export interface Histogram {
  observe(value: number): void;
  /** The lines of its series. @param labels such as `operation="getServer",`, or empty */
  lines(name: string, labels: string): string[];
}

/** @param bounds of the buckets, ascending; values above all of them have a bucket of their own */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = Array(bounds.length + 1).fill(0) as number[];
  let sum = 0;
  return {
    observe(value) {
      let bucket = 0;
      while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket += 1;
      counts[bucket] = (counts[bucket] as number) + 1;
      sum += value;
    },
    lines(name, labels) {
      let total = 0;
      const buckets = counts.map((count, index) => {
        total += count;
        return `${name}_bucket{${labels}le="${bounds[index] ?? '+Inf'}"} ${total}`;
      });
      const own = labels === '' ? '' : `{${labels.replace(/,$/, '')}}`;
      return [...buckets, `${name}_sum${own} ${sum}`, `${name}_count${own} ${total}`];
    },
  };
}
