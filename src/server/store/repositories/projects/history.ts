import { sql } from 'kysely';
import { valuesOf } from '../../engine/dialect.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { upsert } from '../../engine/table-rows.ts';

/**
 * A server's samples from `from` (inclusive) to `to`, in intervals of `stepMs` that begin at multiples of it; `players` is the
 * mean. Intervals without a sample are left out; counts are null where none of its samples has one.
 */
export async function listSampleBuckets(
  db: Reader,
  serverId: string,
  { from, to, stepMs }: { from: number; to: number; stepMs: number },
) {
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

/** The player count of a server at one moment; counts are null while it does not answer. */
interface Sample {
  /** Start of a minute; epoch milliseconds. */
  sampledAt: number;
  players: number | null;
  maxPlayers: number | null;
}

/** Adds samples from elsewhere. A minute that has a sample already keeps it. */
export async function addSamples(db: Database, serverId: string, samples: readonly Sample[]): Promise<void> {
  const rows = samples.map(({ sampledAt: sampled_at, players, maxPlayers: max_players }) => {
    return { server_id: serverId, sampled_at, players, max_players };
  });
  await upsert(db, { table: 'server_sample', key: ['server_id', 'sampled_at'], set: null }, rows);
}

/** The start of the last minute in which a server answered; null: in none. */
export async function findLastAnswer(db: Reader, serverId: string): Promise<number | null> {
  const row = await db
    .selectFrom('server_sample')
    .select('sampled_at')
    .where('server_id', '=', serverId)
    .where('players', 'is not', null)
    .orderBy('sampled_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.sampled_at ?? null;
}

/** When most players were on some servers together, and how many; the first of such minutes. Null: no count is known. */
export async function readPeak(
  db: Reader,
  { serverIds, from, until }: { serverIds: readonly string[]; from: number; until: number },
): Promise<{ at: number; players: number } | null> {
  const row = await db
    .selectFrom('server_sample')
    .select(['sampled_at', sql<number>`CAST(sum(players) AS double precision)`.as('players')])
    .where('server_id', 'in', valuesOf('text', serverIds))
    .where('sampled_at', '>=', from)
    .where('sampled_at', '<', until)
    .where('players', 'is not', null)
    .groupBy('sampled_at')
    .orderBy('players', 'desc')
    .orderBy('sampled_at')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { at: row.sampled_at, players: row.players };
}

const samplesKeptMs = 30 * 24 * 3_600_000;

/** Deletes samples that are older than 30 days. */
export async function deleteOldSamples(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom('server_sample')
    .where('server_id', 'in', ({ selectFrom }) => selectFrom('server').select('id'))
    .where('sampled_at', '<', now - samplesKeptMs)
    .execute();
}
