import { sql } from 'kysely';
import type { Reader } from '../../engine/database.ts';
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
  const since = await keptSince(db, projectId);
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

/** The moment of the earliest death that a project's servers have; null: they have none. */
export async function keptSince(db: Reader, projectId: string): Promise<number | null> {
  const row = await db
    .selectFrom('server')
    .select(
      sql<number | null>`min((SELECT min(at) FROM death WHERE death.server_id = server.id))`.as('since'),
    )
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row?.since ?? null;
}
