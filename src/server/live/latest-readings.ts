import { systemClock } from '../../process/clock.ts';
import type { QueryServer, QueryTarget, ServerReading } from './query.ts';

/** Remembers what each game server said last, whoever asked it. */
export interface LatestReadings {
  /** The query itself, which is remembered from now on. */
  query: QueryServer;
  /** Null: not read within `maxAgeMs`, or the last query gave nothing. */
  of(target: QueryTarget, maxAgeMs: number): ServerReading | null;
  /** When the server last answered, epoch milliseconds; null: not since the start. */
  lastAnswerAt(target: QueryTarget): number | null;
}

export function rememberReadings(query: QueryServer, monotonic = systemClock.monotonic): LatestReadings {
  const readings = new Map<string, { reading: ServerReading; at: number }>();
  const answers = new Map<string, number>();
  const keyOf = ({ game, host, port, queryPort }: QueryTarget): string =>
    JSON.stringify([game, host, port, queryPort]);
  return {
    async query(target) {
      const key = keyOf(target);
      try {
        const reading = await query(target);
        readings.set(key, { reading, at: monotonic() });
        answers.set(key, reading.observedAt);
        return reading;
      } catch (error) {
        readings.delete(key);
        throw error;
      }
    },
    lastAnswerAt: (target) => answers.get(keyOf(target)) ?? null,
    of(target, maxAgeMs) {
      const known = readings.get(keyOf(target));
      return known === undefined || monotonic() - known.at > maxAgeMs ? null : known.reading;
    },
  };
}
