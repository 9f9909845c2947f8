import type { Reader } from '../../engine/database.ts';
import { earliestOf } from '../projects/projects.ts';
import { topWeapon } from './boards.ts';
import { type Death, deathOf, deathsWithPlayers } from './deaths.ts';

interface PlayerKills {
  /** Since when deaths are kept, epoch milliseconds. */
  since: number;
  /** The latest first. */
  kills: Death[];
  deaths: Death[];
  /** The weapon with which the player killed most often; null: none is known. */
  favouriteWeapon: { name: string; kills: number } | null;
}

/** The latest kills and deaths of a player of a project; null where no death is kept at all. */
export async function readPlayerKills(
  db: Reader,
  projectId: string,
  playerId: number,
  limit: number,
): Promise<PlayerKills | null> {
  const since = await earliestOf(db, projectId, 'death.at');
  if (since === null) return null;
  const latest = async (column: 'killer_id' | 'victim_id'): Promise<Death[]> =>
    (
      await deathsWithPlayers(db)
        .where(`death.${column}`, '=', playerId)
        .orderBy('at', 'desc')
        .limit(limit)
        .execute()
    ).map(deathOf);
  return {
    since,
    kills: await latest('killer_id'),
    deaths: await latest('victim_id'),
    favouriteWeapon: await topWeapon(db.selectFrom('death').where('killer_id', '=', playerId)),
  };
}
