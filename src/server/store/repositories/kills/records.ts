import { sql } from 'kysely';
import { longShotMeters } from '../../../../api/death-causes.ts';
import type { Reader } from '../../engine/database.ts';
import { isOnBoards } from '../players/on-boards.ts';

/**
 * The id of the death by the longest shot on a server since a moment, of equal ones the first, as far as it is a long shot
 * that beats another one. Null: none. Who is not on boards neither has a record nor keeps others from one.
 */
export async function findRecordShot(db: Reader, serverId: string, since: number): Promise<number | null> {
  const [longest, beaten] = await db
    .selectFrom('death')
    .innerJoin('player', 'player.id', 'death.killer_id')
    .select('death.id')
    .where('server_id', '=', serverId)
    // A literal, not a bound value: only then does SQLite use the partial index.
    .where(sql<boolean>`meters >= ${sql.lit(longShotMeters)}`)
    .where('at', '>=', since)
    .where(isOnBoards)
    .orderBy('meters', 'desc')
    .orderBy('at')
    .orderBy('death.id')
    .limit(2)
    .execute();
  return longest === undefined || beaten === undefined ? null : longest.id;
}
