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

/** The squares of a server's map with enough events of several players. Hidden and forgotten players are not among them. */
export async function readHeat(
  db: Reader,
  { projectId, serverId, kind, from, until, hiddenFrom, weapon }: HeatQuery,
): Promise<HeatCell[]> {
  const of = kind === 'deaths' ? 'victim' : 'killer';
  const [x, z] = [sql.ref<number>(`${of}_x`), sql.ref<number>(`${of}_z`)];
  const player = sql.ref(`${of}_id`);
  const square = (meters: RawBuilder<number>) =>
    sql<number>`CAST(floor(${meters} / ${sql.lit(heatCellMeters)}) AS bigint)`;
  const isOnMap = (meters: RawBuilder<number>) =>
    sql<boolean>`${meters} >= 0 AND ${meters} < ${sql.lit(mostMeters)}`;
  return await db
    .selectFrom('death')
    .select(({ fn }) => [square(x).as('x'), square(z).as('z'), fn.countAll<number>().as('events')])
    .where('server_id', '=', serverId)
    .where('at', '>=', from)
    .where('at', '<', Math.min(until, hiddenFrom))
    // A log's clock may be off by the hours of a zone.
    .where(({ or, eb }) => or([eb('stored_at', '<', hiddenFrom), eb('at', '<', hiddenFrom - dayMs)]))
    .where(isOnMap(x))
    .where(isOnMap(z))
    .where(sql<boolean>`${player} NOT IN ${unlistedOf(projectId)}`)
    .$if(kind === 'shots', (query) => query.where(sql<boolean>`meters >= ${sql.lit(longShotMeters)}`))
    .$if(weapon !== null, (query) => query.where('weapon', '=', weapon))
    .groupBy([square(x), square(z)])
    .having(({ fn }) => fn.countAll(), '>=', leastHeat)
    .having(sql<boolean>`min(${player}) <> max(${player})`)
    .execute();
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
