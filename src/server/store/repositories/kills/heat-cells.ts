import { type RawBuilder, sql } from 'kysely';
import { longShotMeters } from '../../../../api/death-causes.ts';
import { heatCellMeters, type HeatCell, type HeatKind, leastHeat } from '../../../../api/heat-maps.ts';
import type { Reader } from '../../engine/database.ts';
import { unlistedOf } from '../players/player-profiles.ts';

const dayMs = 86_400_000;
export const weekMs = 7 * dayMs;
/** A Monday, 00:00 UTC. */
const someMonday = 4 * dayMs;
/** The first moment of the week of a moment. */
export const weekOf = (at: number): number => someMonday + Math.floor((at - someMonday) / weekMs) * weekMs;

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

interface CountedCell extends HeatCell {
  isShared: boolean;
}

/**
 * The squares of a server's map with enough events of several players. Of deaths that are no longer kept, whole weeks count,
 * and none with a certain weapon.
 */
export async function readHeat(db: Reader, query: HeatQuery): Promise<HeatCell[]> {
  const folded = query.weapon === null ? await readFolded(db, query) : { cells: [], until: 0 };
  const cells = new Map<string, CountedCell>();
  for (const cell of folded.cells) addTo(cells, { ...cell, isShared: cell.shared === 1 });
  for (const cell of await countDeaths(db, { ...query, from: Math.max(query.from, folded.until) }))
    addTo(cells, cell);
  return [...cells.values()]
    .filter(({ events, isShared }) => isShared && events >= leastHeat)
    .map(({ x, z, events }) => ({ x, z, events }));
}

function addTo(cells: Map<string, CountedCell>, { x, z, events, isShared }: CountedCell): void {
  const key = `${x}:${z}`;
  const known = cells.get(key);
  cells.set(key, {
    x,
    z,
    events: events + (known?.events ?? 0),
    isShared: isShared || known?.isShared === true,
  });
}

/** The moment of the first known position of a death on a server; null: none is known. */
export async function heatSince(db: Reader, serverId: string): Promise<number | null> {
  const { week } = await db
    .selectFrom('death_cell')
    .select(({ fn }) => fn.min<number | null>('week').as('week'))
    .where('server_id', '=', serverId)
    .executeTakeFirstOrThrow();
  if (week !== null) return week;
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

/** The squares of weeks whose deaths are no longer all kept, and the moment from which on they are. */
async function readFolded(db: Reader, { serverId, kind, from, until, hiddenFrom }: HeatQuery) {
  const { week } = await db
    .selectFrom('death_cell')
    .select(({ fn }) => fn.max<number | null>('week').as('week'))
    .where('server_id', '=', serverId)
    .executeTakeFirstOrThrow();
  if (week === null) return { cells: [], until: 0 };
  const cells = await db
    .selectFrom('death_cell')
    .select(({ fn }) => ['x', 'z', fn.sum<number>('events').as('events'), fn.max('shared').as('shared')])
    .where('server_id', '=', serverId)
    .where('week', '>=', from)
    .where('week', '<=', Math.min(until, hiddenFrom) - weekMs)
    .where('kind', '=', kind)
    .groupBy(['x', 'z'])
    .execute();
  return { cells, until: week + weekMs };
}

/** The squares of deaths that are kept one by one. Hidden and forgotten players are not among them. */
export async function countDeaths(db: Reader, query: HeatQuery): Promise<CountedCell[]> {
  const squares = new Map<string, Awaited<ReturnType<typeof countBetween>>[number]>();
  const until = Math.min(query.until, query.hiddenFrom);
  let { from } = query;
  // A week at a time: SQLite answers on this thread, and other work gets its turn in between.
  for (let at = await nextDeath(db, query.serverId, from, until); at !== null;) {
    from = Math.min(weekOf(at) + weekMs, until);
    for (const square of await countBetween(db, query, at, from)) {
      const key = `${square.x}:${square.z}`;
      const known = squares.get(key) ?? { ...square, events: 0 };
      squares.set(key, {
        ...square,
        events: known.events + square.events,
        firstPlayer: Math.min(known.firstPlayer, square.firstPlayer),
        lastPlayer: Math.max(known.lastPlayer, square.lastPlayer),
      });
    }
    await new Promise((resolve) => setImmediate(resolve));
    at = await nextDeath(db, query.serverId, from, until);
  }
  return Array.from(squares.values(), ({ x, z, events, firstPlayer, lastPlayer }) => {
    return { x, z, events, isShared: firstPlayer !== lastPlayer };
  });
}

/** The moment of a server's first death in a stretch of time. */
export async function nextDeath(
  db: Reader,
  serverId: string,
  from: number,
  until: number,
): Promise<number | null> {
  const { at } = await db
    .selectFrom('death')
    .select(({ fn }) => fn.min<number | null>('at').as('at'))
    .where('server_id', '=', serverId)
    .where('at', '>=', from)
    .where('at', '<', until)
    .executeTakeFirstOrThrow();
  return at;
}

/** The squares of a stretch of time, each with the lowest and highest id of its players. */
async function countBetween(
  db: Reader,
  { projectId, serverId, kind, weapon, hiddenFrom }: HeatQuery,
  from: number,
  until: number,
) {
  const of = kind === 'deaths' ? 'victim' : 'killer';
  const [x, z] = [sql.ref<number>(`${of}_x`), sql.ref<number>(`${of}_z`)];
  const player = sql<number>`${sql.ref(`${of}_id`)}`;
  const index = (meters: RawBuilder<number>) =>
    sql<number>`CAST(floor(${meters} / ${sql.lit(heatCellMeters)}) AS bigint)`;
  const isOnMap = (meters: RawBuilder<number>) =>
    sql<boolean>`${meters} >= 0 AND ${meters} < ${sql.lit(mostMeters)}`;
  return await db
    .selectFrom('death')
    .select(({ fn }) => [index(x).as('x'), index(z).as('z'), fn.countAll<number>().as('events')])
    .select([sql<number>`min(${player})`.as('firstPlayer'), sql<number>`max(${player})`.as('lastPlayer')])
    .where('server_id', '=', serverId)
    .where('at', '>=', from)
    .where('at', '<', until)
    // A log's clock may be off by the hours of a zone.
    .where(({ or, eb }) => or([eb('stored_at', '<', hiddenFrom), eb('at', '<', hiddenFrom - dayMs)]))
    .where(isOnMap(x))
    .where(isOnMap(z))
    .where(sql<boolean>`${player} NOT IN ${unlistedOf(projectId)}`)
    .$if(kind === 'shots', (query) => query.where(sql<boolean>`meters >= ${sql.lit(longShotMeters)}`))
    .$if(weapon !== null, (query) => query.where('weapon', '=', weapon))
    .groupBy([index(x), index(z)])
    .execute();
}
