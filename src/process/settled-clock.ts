import type { Clock } from './clock.ts';

/** A clock that is wrong is mostly set right within minutes, once it has the time from the network. */
const settlesMs = 3_600_000;

/**
 * The wall clock for deleting what is too old, which cannot be brought back: it follows a jump ahead only after an hour.
 * What it says rests on the calls of the last hour.
 * @returns epoch milliseconds; 0 in the first hour, since the clock may have jumped before: then nothing is old
 */
export function createSettledClock({ now, monotonic }: Clock): () => number {
  const startedAt = monotonic();
  /** How far the wall clock was ahead of the monotonic one. */
  let offsets: { at: number; ms: number }[] = [];
  return () => {
    const at = monotonic();
    offsets = [...offsets.filter((offset) => at - offset.at <= settlesMs), { at, ms: now() - at }];
    return at - startedAt < settlesMs ? 0 : at + Math.min(...offsets.map(({ ms }) => ms));
  };
}
