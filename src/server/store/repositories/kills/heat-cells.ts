import { type RawBuilder, sql } from 'kysely';
import { longShotMeters } from '../../../../api/death-causes.ts';
import { heatCellMeters, type HeatCell, type HeatKind, leastHeat } from '../../../../api/heat-maps.ts';
import type { Reader } from '../../engine/database.ts';
import { unlistedOf } from '../players/player-profiles.ts';

const dayMs = 86_400_000;
/** No terrain is larger. A position beyond it is noise of the log. */
const mostMeters = 32_768;

export interface HeatQuery {
  projectId: string;
  serverId: string;
  kind: HeatKind;
  /** The first moment, and the first one after; epoch milliseconds. */
  from: number;
  until: number;
  /** Nothing counts that happened from then on. */
  hiddenFrom: number;
  /** Only with this weapon; null: with any. */
  weapon: string | null;
}

interface Heat {
  /** The squares with enough events of several players. */
  cells: HeatCell[];
  /** The events of all other squares. */
  leftOut: number;
}

/** Where it happened on a server's map, without hidden and forgotten players. */
export async function readHeat(
  db: Reader,
  { projectId, serverId, kind, from, until, hiddenFrom, weapon }: HeatQuery,
): Promise<Heat> {
  const of = kind === 'deaths' ? 'victim' : 'killer';
  const [east, north] = [sql.ref<number>(`${of}_x`), sql.ref<number>(`${of}_z`)];
  const player = sql.ref(`${of}_id`);
  const square = (meters: RawBuilder<number>) =>
    sql<number>`CAST(floor(${meters} / ${sql.lit(heatCellMeters)}) AS bigint)`;
  const isOnMap = (meters: RawBuilder<number>) =>
    sql<boolean>`${meters} >= 0 AND ${meters} < ${sql.lit(mostMeters)}`;
  const squares = await db
    .selectFrom('death')
    .select(({ fn }) => [square(east).as('x'), square(north).as('z'), fn.countAll<number>().as('events')])
    .select([sql<number>`min(${player})`.as('firstPlayer'), sql<number>`max(${player})`.as('lastPlayer')])
    .where('server_id', '=', serverId)
    .where('at', '>=', from)
    .where('at', '<', Math.min(until, hiddenFrom))
    // A log's clock may be off by the hours of a zone.
    .where(({ or, eb }) => or([eb('stored_at', '<', hiddenFrom), eb('at', '<', hiddenFrom - dayMs)]))
    .where(isOnMap(east))
    .where(isOnMap(north))
    .where(sql<boolean>`${player} NOT IN ${unlistedOf(projectId)}`)
    .$if(kind === 'shots', (query) => query.where(sql<boolean>`meters >= ${sql.lit(longShotMeters)}`))
    .$if(weapon !== null, (query) => query.where('weapon', '=', weapon))
    .groupBy([square(east), square(north)])
    .execute();
  const heat: Heat = { cells: [], leftOut: 0 };
  for (const { x, z, events, firstPlayer, lastPlayer } of squares) {
    if (events >= leastHeat && firstPlayer !== lastPlayer) heat.cells.push({ x, z, events });
    else heat.leftOut += events;
  }
  return heat;
}

/** The moment of the first kept death on a server whose position is known; null: there is none. */
export async function heatSince(db: Reader, serverId: string): Promise<number | null> {
  const death = await db
    .selectFrom('death')
    .select('at')
    .where('server_id', '=', serverId)
    .where('victim_x', 'is not', null)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst();
  return death?.at ?? null;
}
