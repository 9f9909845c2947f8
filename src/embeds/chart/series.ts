/** The samples of a server within one step. */
export interface HistoryBucket {
  /** Start of the step; epoch milliseconds, a multiple of the step's length. */
  at: number;
  /** Mean of the samples with a count; null: the server did not answer during the whole step. */
  players: number | null;
  peak: number | null;
  maxPlayers: number | null;
}

export interface ServerHistory {
  /** IANA time zone of the server. */
  timezone: string;
  /** In chronological order. Steps without samples are left out. */
  buckets: readonly HistoryBucket[];
}

/** Player counts from `from` to `to` in steps of `stepMs`. An unknown server has no buckets. */
export type PlayerHistory = (
  serverId: string,
  from: number,
  to: number,
  stepMs: number,
) => Promise<ServerHistory>;

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

/** Removes the words that all names start with. Servers of one community are often called `Northwood | …`. */
export function shortNames(names: readonly string[]): string[] {
  const [first = '', ...others] = names;
  if (others.length === 0) return [...names];
  let end = 0;
  while (end < first.length && others.every((name) => name[end] === first[end])) end += 1;
  const words = first.slice(0, end).lastIndexOf(' ') + 1;
  const short = names.map((name) => name.slice(words).trim());
  return short.every((name) => name !== '') ? short : [...names];
}

/** Splits a line between texts of these widths: what a short one leaves of its equal part is for the others. */
export function roomsOf(widths: readonly number[], line: number): number[] {
  const rooms = [...widths];
  let left = line;
  const shortestFirst = [...widths.keys()].toSorted((one, other) => widths[one]! - widths[other]!);
  for (const [done, index] of shortestFirst.entries()) {
    rooms[index] = Math.min(widths[index]!, left / (widths.length - done));
    left -= rooms[index];
  }
  return rooms;
}
