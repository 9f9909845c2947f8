import { sql } from 'kysely';
import type { Reader } from '../../engine/database.ts';
import { topWeapon } from './boards.ts';
import { type Death, type DeathPlayer, shownName } from './deaths.ts';

/** A death on a player's card, in which the player is the killer or the victim. */
interface PlayerDeath extends Pick<
  Death,
  'at' | 'cause' | 'serverId' | 'weapon' | 'ammo' | 'bodyPart' | 'meters'
> {
  victim: Omit<DeathPlayer, 'streak'>;
  killer: Omit<DeathPlayer, 'streak'> | null;
}

interface PlayerKills {
  /** Since when deaths are kept, epoch milliseconds. */
  since: number;
  /** The latest first. */
  kills: PlayerDeath[];
  deaths: PlayerDeath[];
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
  return {
    since,
    kills: await latest(db, 'killer_id', playerId, limit),
    deaths: await latest(db, 'victim_id', playerId, limit),
    favouriteWeapon: await topWeapon(db.selectFrom('death').where('killer_id', '=', playerId)),
  };
}

async function latest(
  db: Reader,
  column: 'killer_id' | 'victim_id',
  playerId: number,
  limit: number,
): Promise<PlayerDeath[]> {
  const rows = await db
    .selectFrom('death')
    .innerJoin('player as victim', 'victim.id', 'death.victim_id')
    .leftJoin('player as killer', 'killer.id', 'death.killer_id')
    .select(['at', 'cause', 'server_id', 'weapon', 'ammo', 'body_part', 'meters'])
    .select(['victim_id', 'killer_id'])
    .select([shownName('victim').as('victim_name'), shownName('killer').as('killer_name')])
    .where(`death.${column}`, '=', playerId)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ victim_id, killer_id, victim_name, killer_name, server_id, body_part, ...death }) => ({
    ...death,
    serverId: server_id,
    bodyPart: body_part,
    victim: { id: victim_id, name: victim_name },
    killer: killer_id === null ? null : { id: killer_id, name: killer_name },
  }));
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
