import { sql } from 'kysely';
import { systemClock } from '../../process/clock.ts';
import { eachChunk } from './each-chunk.ts';
import type { Database } from './database.ts';
import { refreshStatistics } from './statistics.ts';

/**
 * Aimed at: after each transaction the service reads anew what it remembers, and whoever else writes waits for it, so
 * that there should be neither many of them nor long ones. By the clock, so that less is tried where others have the core.
 */
const transactionMs = 500;
const firstPlayers = 1000;
const maxPlayers = 50_000;
const fastestGrowth = 4;

/**
 * Notes that the figures of these players are to be computed anew. An import that touches everybody again and again
 * does so once at its end instead of with each transaction; what it leaves undone is on record.
 */
export async function markStale(tx: Database, playerIds: Iterable<number>): Promise<void> {
  await eachChunk([...playerIds], async (json) => {
    await sql`
      INSERT OR IGNORE INTO stale_statistics (player_id) SELECT value FROM json_each(${json})
    `.execute(tx);
  });
}

/** Computes what was noted, in several transactions. */
export async function refreshStale(db: Database, monotonic = systemClock.monotonic): Promise<void> {
  let players = firstPlayers;
  for (;;) {
    const startedAt = monotonic();
    const ids = await db.transaction().execute(async (tx) => await refreshSome(tx, players));
    if (ids < players) return;
    // Players differ a thousandfold in what is known of them.
    const growth = Math.min(fastestGrowth, transactionMs / Math.max(1, monotonic() - startedAt));
    players = Math.min(maxPlayers, Math.max(1, Math.floor(players * growth)));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function refreshSome(tx: Database, limit: number): Promise<number> {
  const rows = await tx.selectFrom('stale_statistics').select('player_id').limit(limit).execute();
  const ids = rows.map(({ player_id }) => player_id);
  if (ids.length === 0) return 0;
  await refreshStatistics(tx, ids);
  await sql`
    DELETE FROM stale_statistics WHERE player_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
  `.execute(tx);
  return ids.length;
}
