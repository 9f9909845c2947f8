import { sql } from 'kysely';
import { type CharacterStats, joinTotals } from './characters.ts';
import type { Database } from '../../engine/database.ts';
import { greatest, joinInOrder, valuesOf } from '../../engine/dialect.ts';
import { joinRunColumns } from '../../engine/schema/run-figures.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { moveDeaths } from '../kills/save-deaths.ts';
import { moveProgress } from '../links/challenges.ts';
import { moveLinks } from '../links/player-links.ts';
import { chooseServedBans } from '../bans/served-bans.ts';
import { setVisibility } from '../rights/hide-player.ts';
import { type Merge, mergesAs, moveRows } from './merges.ts';
import { widenSpan } from './sightings.ts';

/**
 * Merges players: moves all data of each `from` to its `into` and deletes `from`. No `into` is the `from` of another
 * merge. The caller gives `into` the identifiers of both and refreshes its statistics.
 */
export async function mergePlayers(tx: Database, merges: readonly Merge[]): Promise<void> {
  if (merges.length === 0) return;
  await moveRows<Stored<'log_run_player'>>(tx, 'log_run_player', merges, (mine, other) => {
    return { ...mine, ...joinRunColumns(mine, other) };
  });
  await moveRows(tx, 'character', merges, joinCharacters);
  await moveDeaths(tx, merges);
  await moveLinks(tx, merges);
  await moveProgress(tx, merges);
  const merged = mergesAs('merged', merges);
  for (const table of ['imported_stats', 'ban', 'stay', 'watch_entry'] as const) {
    await sql`
      UPDATE ${sql.table(table)} SET player_id = merged.kept FROM ${merged} WHERE player_id = merged.gone
    `.execute(tx);
  }
  // A message may name both.
  await sql`
    UPDATE naming_message SET player_id = merged.kept FROM ${merged} WHERE player_id = merged.gone AND NOT EXISTS (
      SELECT 1 FROM naming_message AS other
      WHERE other.message_id = naming_message.message_id AND other.player_id = merged.kept
    )
  `.execute(tx);
  await sql`
    INSERT INTO player_alias (player_id, name, server_id, first_seen_at, last_seen_at)
    SELECT merged.kept, name, server_id, min(first_seen_at), max(last_seen_at)
    FROM ${merged} ${joinInOrder} player_alias ON player_alias.player_id = merged.gone
    GROUP BY merged.kept, name, server_id
    ON CONFLICT (player_id, name, server_id) DO UPDATE SET ${widenSpan('player_alias', 'excluded')}
  `.execute(tx);
  await sql`
    UPDATE player SET ${widenSpan('player', 'gone')}, hidden = ${greatest(sql.ref('player.hidden'), sql.ref('gone.hidden'))}
    FROM (
      SELECT merged.kept, min(first_seen_at) AS first_seen_at, max(last_seen_at) AS last_seen_at, max(hidden) AS hidden
      FROM ${merged} ${joinInOrder} player AS other ON other.id = merged.gone GROUP BY merged.kept
    ) AS gone WHERE player.id = gone.kept
  `.execute(tx);
  const kept = merges.map(({ into }) => into);
  await hideAgain(tx, kept);
  await chooseServedBans(tx, kept);
  const gone = merges.map(({ from }) => from);
  await tx.deleteFrom('player').where('id', 'in', valuesOf('integer', gone)).execute();
}

/** Where one of two players was hidden, messages and lists still name the other one. */
async function hideAgain(tx: Database, playerIds: readonly number[]): Promise<void> {
  const hidden = await tx
    .selectFrom('player')
    .select('id')
    .where('id', 'in', valuesOf('integer', playerIds))
    .where('hidden', '=', visibility.hidden)
    .execute();
  await setVisibility(
    tx,
    hidden.map(({ id }) => id),
    visibility.hidden,
  );
}

/** The character of `mine` with the totals of both, and the state that was read last. */
function joinCharacters(mine: Stored<'character'>, other: Stored<'character'>): Stored<'character'> {
  const total = joinTotals(
    JSON.parse(mine.total) as CharacterStats,
    JSON.parse(other.total) as CharacterStats,
  );
  const { last, sampled_at } = other.sampled_at > mine.sampled_at ? other : mine;
  return { ...mine, total: JSON.stringify(total), last, sampled_at };
}
