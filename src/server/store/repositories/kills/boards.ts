import { type NotNull, type SelectQueryBuilder, sql } from 'kysely';
import { longShotMeters } from '../../../../api/death-causes.ts';
import type { Reader } from '../../engine/database.ts';
import type { Schema } from '../../engine/schema/schema.ts';
import { isOnBoards, onBoards } from '../players/on-boards.ts';
import { type BoardRow, withPlayers } from '../players/period-boards.ts';

/** The players of a project with the most kills with a weapon, most first; those with as many in a fixed order. */
export async function readKillBoard(
  db: Reader,
  projectId: string,
  weapon: string,
  limit: number,
): Promise<BoardRow[]> {
  const rows = await db
    .selectFrom('server')
    .innerJoin('death', 'death.server_id', 'server.id')
    .select(({ fn }) => ['killer_id as playerId', fn.countAll<number>().as('value')])
    .where('server.project_id', '=', projectId)
    .where('weapon', '=', weapon)
    .where('killer_id', 'is not', null)
    .groupBy('killer_id')
    .having(onBoards('death.killer_id'))
    .orderBy('value', 'desc')
    .orderBy('killer_id')
    .limit(limit)
    .$narrowType<{ playerId: NotNull }>()
    .execute();
  return await withPlayers(db, rows);
}

/** The weapon with the most of some kills, the first by name of several; null: none is known. */
export async function topWeapon(
  kills: SelectQueryBuilder<Schema, 'death', object>,
): Promise<{ name: string; kills: number } | null> {
  const row = await kills
    .select(({ fn }) => ['weapon', fn.countAll<number>().as('kills')])
    .where('weapon', 'is not', null)
    .groupBy('weapon')
    .orderBy('kills', 'desc')
    .orderBy('weapon')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { name: row.weapon ?? '', kills: row.kills };
}

/** So many of a server's latest kills say which weapons are in use. */
const latestKills = 5_000;

/** The weapons with which players of a project killed each other lately, the most used first. */
export async function readWeapons(db: Reader, projectId: string, limit: number): Promise<string[]> {
  const servers = await db.selectFrom('server').select('id').where('project_id', '=', projectId).execute();
  const kills = new Map<string, number>();
  for (const { id } of servers) {
    const latest = db
      .selectFrom('death')
      .select('weapon')
      .where('server_id', '=', id)
      .where('killer_id', 'is not', null)
      .orderBy('at', 'desc')
      .limit(latestKills);
    const rows = await db
      .selectFrom(latest.as('latest'))
      .select(({ fn }) => ['weapon', fn.countAll<number>().as('kills')])
      .groupBy('weapon')
      .execute();
    for (const row of rows) {
      if (row.weapon !== null) kills.set(row.weapon, (kills.get(row.weapon) ?? 0) + row.kills);
    }
  }
  const byUse = [...kills].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return byUse.slice(0, limit).map(([weapon]) => weapon);
}

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
