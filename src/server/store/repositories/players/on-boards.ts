import { type RawBuilder, sql } from 'kysely';
import { joinInOrder, withoutCase } from '../../engine/dialect.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';

/** Whether a list of the project bans somebody for good, and the project's config has such players hidden. */
const isBannedForGood = (who: RawBuilder<unknown>) => sql`EXISTS (
  SELECT 1 FROM ban ${joinInOrder} ban_list ON ban_list.id = ban.list_id
  ${joinInOrder} project ON project.id = ban_list.project_id
  WHERE ${who} AND ban.lifted_at IS NULL AND ban.expires_at IS NULL
  AND ban_list.project_id = player.project_id AND ban_list.active = 1 AND project.hide_banned = 1
)`;

const isNamed = sql`ban.player_id IS NULL AND ${withoutCase('ban.player_name')} = ${withoutCase('player.name')}`;

/**
 * Whether the `player` of a query is on boards: leaderboards, boards by period or weapon, ranks, recaps and records. Left
 * out are players who are hidden or forgotten, and those who are banned for good. Consoles ban names.
 */
export const isOnBoards = sql<boolean>`(
  player.hidden = ${sql.lit(visibility.shown)}
  AND NOT ${isBannedForGood(sql`ban.player_id = player.id`)} AND NOT ${isBannedForGood(isNamed)}
)`;

/** The same of the player with this id. */
export const onBoards = (playerId: string) =>
  sql<boolean>`EXISTS (SELECT 1 FROM player WHERE player.id = ${sql.ref(playerId)} AND ${isOnBoards})`;
