import { type RawBuilder, sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
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

/** Changes whenever bans or the config may have changed who is on a project's boards. */
export async function readBoardsRevision(db: Reader, projectId: string): Promise<number> {
  const { boards_revision } = await db
    .selectFrom('project')
    .select('boards_revision')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  return boards_revision;
}

/** To be called in the transaction that changes bans of a project, or whether they hide players. */
export async function raiseBoardsRevision(tx: Database, projectId: string): Promise<void> {
  await tx
    .updateTable('project')
    .set(({ eb }) => ({
      boards_revision: eb('boards_revision', '+', 1),
      leaderboard_revision: eb('leaderboard_revision', '+', 1),
    }))
    .where('id', '=', projectId)
    .execute();
}
