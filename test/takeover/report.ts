import type { Disturbance, Disturbed } from './disturb.ts';
import type { WatchedKind } from './lease-watch.ts';
import type { TakeoverResult } from './run.ts';

/** What must hold, in milliseconds. */
const goals = { kill: { p99: 12_000 }, stop: { longest: 15_000 } } as const;

/** The value that `share` of the sorted values do not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
}

function figures(values: readonly number[]): { text: string; p99: number; longest: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const [median, p99, longest] = [0.5, 0.99, 1].map((share) => quantile(sorted, share)) as [
    number,
    number,
    number,
  ];
  return {
    text: `${sorted.length} times, median ${median} ms, p99 ${p99} ms, longest ${longest} ms`,
    p99,
    longest,
  };
}

/** The longest takeover of a disturbance: then everything goes on elsewhere. */
export const wholeTakeover = ({ takeover }: Disturbed): number => Math.max(0, ...Object.values(takeover));

/** The figures of a run as lines, and what failed. */
export function report(
  how: Disturbance,
  { disturbed, wrong, statuses, longestGapMs, failedStarts, counts }: Omit<TakeoverResult, 'tables'>,
): { lines: string[]; failed: string[] } {
  const held = disturbed.filter(({ takeover }) => Object.keys(takeover).length > 0);
  const kinds = [
    ...new Set(held.flatMap(({ takeover }) => Object.keys(takeover))),
  ].toSorted() as WatchedKind[];
  const whole = figures(held.map(wholeTakeover));
  const moments = [...new Set(disturbed.map(({ moment }) => moment))].map(
    (moment) => `${disturbed.filter((each) => each.moment === moment).length} ${moment}`,
  );
  const answers = [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`);
  const late =
    how === 'kill'
      ? whole.p99 > goals.kill.p99 &&
        `99 of 100 takeovers took up to ${whole.p99} ms, the goal is ${goals.kill.p99}`
      : whole.longest > goals.stop.longest &&
        `the longest takeover took ${whole.longest} ms, the goal is ${goals.stop.longest}`;
  return {
    lines: [
      `${how}: ${disturbed.length} (${moments.join(', ')})`,
      `taken over: ${whole.text}`,
      ...kinds.map(
        (kind) => `  ${kind}: ${figures(held.flatMap(({ takeover }) => takeover[kind] ?? [])).text}`,
      ),
      `the leases were read at least every ${Math.round(longestGapMs)} ms`,
      ...failedStarts.map((text) => `a start was repeated: ${text}`),
      `requests: ${answers.join(', ')}`,
      `${counts.kills} kills posted, ${counts.bans} bans`,
      ...(how === 'stop'
        ? [`${counts.transactions} transactions were open as their process was stopped`]
        : []),
    ],
    failed: [...wrong, ...(late === false ? [] : [late])],
  };
}
