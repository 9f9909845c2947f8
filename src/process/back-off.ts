/**
 * How long to wait after so many failures in a row, in milliseconds: `firstMs` after the first one, then twice as long
 * each time, up to `longestMs`.
 */
export function backOffMs(failures: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}
