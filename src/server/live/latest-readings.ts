import type { QueryServer, QueryTarget, ServerReading } from './query.ts';

/** Remembers what each game server said last, whoever asked it. */
export interface LatestReadings {
  /** The query itself, which is remembered from now on. */
  query: QueryServer;
  /** Null: never read, or the last query gave nothing. */
  of(target: QueryTarget): ServerReading | null;
}

export function rememberReadings(query: QueryServer): LatestReadings {
  const readings = new Map<string, ServerReading>();
  const keyOf = ({ game, host, port, queryPort }: QueryTarget): string =>
    JSON.stringify([game, host, port, queryPort]);
  return {
    async query(target) {
      const key = keyOf(target);
      try {
        const reading = await query(target);
        readings.set(key, reading);
        return reading;
      } catch (error) {
        readings.delete(key);
        throw error;
      }
    },
    of: (target) => readings.get(keyOf(target)) ?? null,
  };
}
