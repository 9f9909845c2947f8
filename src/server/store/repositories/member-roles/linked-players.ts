import { sql } from 'kysely';
import type { Reader } from '../../engine/database.ts';
import { metricColumns } from '../../engine/schema/metric-columns.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { isOnBoards } from '../players/on-boards.ts';

/** A member of Discord, and what is known of the player who the member is. */
export interface LinkedPlayer {
  memberId: string;
  /** The player's id in the store. */
  playerId: number;
  /** False: the member only says so. */
  isProven: boolean;
  name: string | null;
  /** Epoch milliseconds. */
  lastSeenAt: number | null;
  /** Over all time, from every source. */
  playSeconds: number | null;
  isOnBoards: boolean;
}

/** Who in a project is linked, without players who are hidden. */
export async function readLinkedPlayers(db: Reader, projectId: string): Promise<LinkedPlayer[]> {
  const rows = await db
    .selectFrom('player_link')
    .innerJoin('player', 'player.id', 'player_link.player_id')
    .leftJoin('player_stats', 'player_stats.player_id', 'player_link.player_id')
    .select([
      'member_id as memberId',
      'player_link.player_id as playerId',
      'proven',
      'player.name',
      'last_seen_at as lastSeenAt',
      `player_stats.${metricColumns.PLAYTIME} as playSeconds`,
      sql<number>`CASE WHEN ${isOnBoards} THEN 1 ELSE 0 END`.as('on_boards'),
    ])
    .where('player_link.project_id', '=', projectId)
    .where('player.hidden', '=', sql.lit(visibility.shown))
    .orderBy('member_id')
    .execute();
  return rows.map(({ proven, on_boards, ...row }) => ({
    ...row,
    isProven: proven === 1,
    isOnBoards: on_boards === 1,
  }));
}
