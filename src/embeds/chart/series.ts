import type { HistoryBucket } from './history.ts';

/** The number of lines that are distinguishable in one chart. */
export const mostSeries = 6;

/** Consecutive steps with a count. */
export type Segment = readonly { at: number; players: number }[];

/** Splits a history at gaps, where the chart draws no line. */
export function segmentsOf(buckets: readonly HistoryBucket[], stepMs: number): Segment[] {
  const segments: { at: number; players: number }[][] = [];
  let previous = -Infinity;
  for (const { at, players } of buckets) {
    if (players === null) continue;
    if (at - previous > stepMs) segments.push([]);
    segments.at(-1)!.push({ at, players });
    previous = at;
  }
  return segments;
}

/** The gaps between `from` and `to` that no segment covers, of at least one step. */
export function gapsOf(
  segments: readonly Segment[],
  { from, to }: { from: number; to: number },
  stepMs: number,
): { from: number; to: number }[] {
  const gaps: { from: number; to: number }[] = [];
  let known = from;
  for (const segment of segments) {
    const start = segment[0]!.at;
    if (start - known >= stepMs) gaps.push({ from: known, to: start });
    known = Math.max(known, segment.at(-1)!.at + stepMs);
  }
  if (to - known >= stepMs) gaps.push({ from: known, to });
  return gaps;
}

export const peakOf = (buckets: readonly HistoryBucket[]): number =>
  Math.max(0, ...buckets.map(({ peak, players }) => peak ?? players ?? 0));
