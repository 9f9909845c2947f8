import { sql } from 'kysely';
import type { Reader } from '../../engine/database.ts';
import { valuesOf, withoutIndex } from '../../engine/dialect.ts';
import type { Blow, MapPosition } from './save-deaths.ts';

/** A stored death, without positions unless the project keeps them. Times are epoch milliseconds. */
export interface Death extends Blow {
  /** Increases with each death of a project, and stays the same through copies of logs, restarts and merges of players. */
  id: number;
  serverId: string;
  at: number;
  victim: DeathPlayer;
  /** Null: no killer, or an unknown one. */
  killer: DeathPlayer | null;
  storedAt: number;
  /** Whether it was read while the log grew; false: it is history. */
  isLive: boolean;
  /** Whether it happened just before it was stored, although its time says something else. */
  isJustNow: boolean;
}

interface DeathPlayer {
  /** The store's own id, for use in this process only. */
  id: number;
  /** The latest name; null: unknown. */
  name: string | null;
  /**
   * Kills on the server since the player died there before, with this one where it is the player's; the victim's are those
   * that ended.
   */
  streak: number;
}

/**
 * The deaths on some servers of one project that were stored after a cursor (0: from the first), ordered by id, and the
 * cursor from which to continue. None is missed: transactions that write a project wait for each other, so its deaths are
 * committed in the order of their ids. `onlyLive` leaves out history.
 */
export async function readDeathsAfter(
  db: Reader,
  serverIds: readonly string[],
  cursor: number,
  limit: number,
  { onlyLive = false } = {},
): Promise<{ deaths: Death[]; cursor: number }> {
  const rows = await deathsWithPlayers(db)
    .where('death.id', '>', cursor)
    .where('server_id', 'in', valuesOf('text', serverIds))
    .$if(onlyLive, (query) => query.where('live', '>', 0))
    .orderBy('death.id')
    .limit(limit)
    .execute();
  return { deaths: rows.map(deathOf), cursor: rows.at(-1)?.id ?? cursor };
}

/** Deaths as `deathOf` takes them. */
export function deathsWithPlayers(db: Reader) {
  return db
    .selectFrom('death')
    .innerJoin('player as victim', 'victim.id', 'death.victim_id')
    .leftJoin('player as killer', 'killer.id', 'death.killer_id')
    .innerJoin('project', 'project.id', 'victim.project_id')
    .select(['death.id', 'server_id as serverId', 'at', 'cause', 'weapon', 'body_part as bodyPart', 'ammo'])
    .select(['meters', 'stored_at as storedAt', 'live', 'project.kill_positions'])
    .select(['victim_id', shownName('victim').as('victim_name'), streakOf('victim_id').as('victim_streak')])
    .select(['killer_id', shownName('killer').as('killer_name'), streakOf('killer_id').as('killer_streak')])
    .select(['victim_x', 'victim_z', 'killer_x', 'killer_z']);
}

type DeathRow = Awaited<ReturnType<ReturnType<typeof deathsWithPlayers>['execute']>>[number];

export function deathOf({ live, kill_positions, ...row }: DeathRow): Death {
  const { victim_id, victim_name, victim_streak, killer_id, killer_name, killer_streak, ...rest } = row;
  const { victim_x, victim_z, killer_x, killer_z, ...death } = rest;
  return {
    ...death,
    victim: { id: victim_id, name: victim_name, streak: victim_streak },
    killer: killer_id === null ? null : { id: killer_id, name: killer_name, streak: killer_streak },
    position: kill_positions === 1 ? positionOf(victim_x, victim_z) : null,
    killerPosition: kill_positions === 1 ? positionOf(killer_x, killer_z) : null,
    isLive: live > 0,
    isJustNow: live === 2,
  };
}

/** The id of the latest death on some servers after this one; `id` where there is none. */
export async function latestDeathAfter(
  db: Reader,
  serverIds: readonly string[],
  id: number,
): Promise<number> {
  const { latest } = await db
    .selectFrom('death')
    .select(({ fn }) => fn.max<number | null>('id').as('latest'))
    .where('id', '>', id)
    .where('server_id', 'in', valuesOf('text', serverIds))
    .executeTakeFirstOrThrow();
  return latest ?? id;
}

const positionOf = (x: number | null, z: number | null): MapPosition | null =>
  x === null || z === null ? null : { x, z };

/** Null: unknown, hidden or forgotten. */
const shownName = (player: 'victim' | 'killer') =>
  sql<string | null>`CASE ${sql.ref(`${player}.hidden`)} WHEN 0 THEN ${sql.ref(`${player}.name`)} END`;

/**
 * A player's kills up to a death, since the player's previous death there; those of one second in the order of the log. Each
 * server has its own characters. The index of a server's deaths would read all of that time, of which few are the player's.
 */
const streakOf = (
  player: 'victim_id' | 'killer_id',
) => sql<number>`CASE ${sql.ref(`${player.replace('_id', '')}.hidden`)} WHEN 0 THEN (
  SELECT count(*) FROM death AS kill
  WHERE kill.killer_id = ${sql.ref(`death.${player}`)} AND ${withoutIndex('kill.server_id')} = death.server_id
  AND kill.at <= death.at AND (kill.at < death.at OR kill.id <= death.id) AND kill.at > coalesce((
    SELECT max(own.at) FROM death AS own
    WHERE own.victim_id = ${sql.ref(`death.${player}`)} AND ${withoutIndex('own.server_id')} = death.server_id
    AND own.at < death.at
  ), 0)
) ELSE 0 END`;
