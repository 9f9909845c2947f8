import { sql } from 'kysely';
import { joinInOrder, rowsOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Database } from '../../engine/database.ts';

/** Whether a ban, or an entry of the watch list, has not ended. */
export const hasNotEnded = (now: number) => sql<boolean>`(expires_at IS NULL OR expires_at > ${now})`;

/**
 * Decides which ban of each of these players is served in each list: of those not lifted the one that ends last, of
 * equal ends the newest. It is served with the earliest known start of any that was in force when it began. To be
 * called in the transaction that changed one of their bans.
 */
export async function chooseServedBans(tx: Database, playerIds: Iterable<number | null>): Promise<void> {
  const wanted = [...new Set(playerIds)].filter((id) => id !== null);
  await eachChunk(wanted, async (chunk) => {
    const players = rowsOf(
      'wanted',
      { id: 'integer' },
      chunk.map((id) => [id]),
    );
    await sql`
      WITH ranked AS (
        SELECT ban.id, ban.list_id, player_id, starts_at, expires_at,
          CASE row_number() OVER last_to_end WHEN 1 THEN 1 ELSE 0 END AS is_served,
          first_value(coalesce(starts_at, first_seen_at)) OVER last_to_end AS served_start
        FROM ${players} ${joinInOrder} ban ON ban.player_id = wanted.id AND ban.lifted_at IS NULL
        WINDOW last_to_end AS (
          PARTITION BY ban.list_id, player_id
          ORDER BY expires_at IS NULL DESC, expires_at DESC, coalesce(starts_at, first_seen_at) DESC, ban.id DESC
        )
      ), chosen AS (
        SELECT id, is_served,
          min(starts_at) FILTER (WHERE expires_at IS NULL OR expires_at > served_start)
            OVER (PARTITION BY list_id, player_id) AS earliest
        FROM ranked
      )
      UPDATE ban SET served = is_served, since = earliest FROM chosen
      WHERE ban.id = chosen.id AND (served <> is_served OR since IS DISTINCT FROM earliest)
    `.execute(tx);
  });
}
