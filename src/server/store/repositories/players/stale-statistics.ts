import { systemClock } from '../../../../process/clock.ts';
import type { Database } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { upsert } from '../../engine/upsert.ts';
import { playersOfCharacters, playersOfRuns } from './metric-sources.ts';
import { refreshStatistics } from './statistics.ts';

/**
 * Target duration. After each transaction the service reloads what it has cached, and other writers wait for it, so
 * transactions should be neither many nor long. Measured in time, so that batches shrink when the core is busy.
 */
const transactionMs = 500;
const firstPlayers = 1000;
const maxPlayers = 50_000;
const fastestGrowth = 4;

/**
 * Marks the figures of these players as stale, to be computed by `refreshStale` in transactions that are short. An import
 * that changes the same players many times computes their figures once, at its end; the marks are stored, so an
 * interrupted import loses none.
 */
export async function markStale(tx: Database, playerIds: Iterable<number>): Promise<void> {
  await upsert(
    tx,
    { table: 'stale_statistics', columns: { player_id: 'integer' }, key: ['player_id'] },
    Array.from(playerIds, (id) => [id]),
  );
}

/** The same for every player of a server's sources, after a metric was given another source. */
export async function markServerStale(tx: Database, serverId: string): Promise<void> {
  await markStale(tx, [...(await playersOfCharacters(tx, serverId)), ...(await playersOfRuns(tx, serverId))]);
}

/** Computes the stale figures, in several transactions. */
export async function refreshStale(db: Database, monotonic = systemClock.monotonic): Promise<void> {
  let players = firstPlayers;
  for (;;) {
    const startedAt = monotonic();
    const ids = await db.transaction().execute(async (tx) => await refreshSome(tx, players));
    if (ids < players) return;
    // The cost per player varies a thousandfold.
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
  await tx.deleteFrom('stale_statistics').where('player_id', 'in', valuesOf('integer', ids)).execute();
  return ids.length;
}
