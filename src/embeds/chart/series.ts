import type { HistoryBucket } from './history.ts';

/** So many lines can be told apart. */
export const mostSeries = 6;

/** A stretch of steps that follow one another, each with a count. */
export type Segment = readonly { at: number; players: number }[];

/** Cuts a history where something is not known: what lies between is no zero, and no line leads over it. */
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

/** What is not covered by any of the segments between `from` and `to`, shortest ones (one step) included. */
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
