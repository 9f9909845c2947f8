import { sql } from 'kysely';
import type { ReadDatabase } from './database.ts';

/** A stretch of a server's samples; counts are null while none of them knows one. */
export interface SampleBucket {
  /** Start of the stretch: a multiple of the step, in epoch milliseconds. */
  at: number;
  /** Mean. */
  players: number | null;
  peak: number | null;
  maxPlayers: number | null;
}

/** A server's samples from `from` (inclusive) to `to`, in stretches of `stepMs`. Those without a sample are left out. */
export async function listSampleBuckets(
  db: ReadDatabase['db'],
  serverId: string,
  { from, to, stepMs }: { from: number; to: number; stepMs: number },
): Promise<SampleBucket[]> {
  const start = sql<number>`sampled_at - sampled_at % ${stepMs}`;
  return await db
    .selectFrom('server_sample')
    .select(({ fn }) => [
      start.as('at'),
      fn.avg<number | null>('players').as('players'),
      fn.max<number | null>('players').as('peak'),
      fn.max<number | null>('max_players').as('maxPlayers'),
    ])
    .where('server_id', '=', serverId)
    .where('sampled_at', '>=', from)
    .where('sampled_at', '<', to)
    .groupBy('at')
    .orderBy('at')
    .execute();
}
