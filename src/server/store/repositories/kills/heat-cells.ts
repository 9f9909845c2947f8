import { type RawBuilder, sql } from 'kysely';
import { longShotMeters } from '../../../../api/death-causes.ts';
import { heatCellMeters, type HeatCell, type HeatKind, leastHeat } from '../../../../api/heat-maps.ts';
import type { Reader } from '../../engine/database.ts';
import { byDialect } from '../../engine/dialect.ts';
import { unlistedOf } from '../players/player-profiles.ts';

const dayMs = 86_400_000;
export const weekMs = 7 * dayMs;
/** A Monday, 00:00 UTC. */
const someMonday = 4 * dayMs;
/** The first moment of the week of a moment. */
export const weekOf = (at: number): number => someMonday + Math.floor((at - someMonday) / weekMs) * weekMs;

/** No terrain is larger. A position beyond it is noise of the log. */
const mostMeters = 32_768;
/** A square is one number. */
const rowSpace = 256;

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

/** A square with the first player of its events, until there is another one. */
export interface CountedCell extends HeatCell {
  first: number | null;
  isShared: boolean;
}

/**
 * The squares of a server's map with enough events of several players. Of deaths that are no longer kept, whole weeks count,
 * and none with a certain weapon.
 */
export async function readHeat(db: Reader, query: HeatQuery): Promise<HeatCell[]> {
  const folded = query.weapon === null ? await readFolded(db, query) : { cells: [], until: 0 };
  const cells = await countDeaths(db, { ...query, from: Math.max(query.from, folded.until) });
  for (const { x, z, events, shared } of folded.cells) {
    const cell = cellAt(cells, x * rowSpace + z);
    cell.events += events;
    cell.isShared ||= shared === 1;
  }
  return [...cells.values()]
    .filter(({ events, isShared }) => isShared && events >= leastHeat)
    .map(({ x, z, events }) => ({ x, z, events }));
}

/** The moment of the first known place of a death on a server; null: none is known. */
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
export async function countDeaths(db: Reader, query: HeatQuery): Promise<Map<number, CountedCell>> {
  const cells = new Map<number, CountedCell>();
  const until = Math.min(query.until, query.hiddenFrom);
  let { from } = query;
  // A week at a time: SQLite answers on this thread, and other work gets its turn in between.
  for (let at = await nextDeath(db, query.serverId, from, until); at !== null;) {
    from = Math.min(weekOf(at) + weekMs, until);
    const { squares, players } = await readPlaces(db, query, at, from);
    squares.forEach((square, i) => {
      const cell = cellAt(cells, square);
      const player = players[i] as number;
      cell.events += 1;
      cell.first ??= player;
      if (cell.first !== player) cell.isShared = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    at = await nextDeath(db, query.serverId, from, until);
  }
  return cells;
}

const cellAt = (cells: Map<number, CountedCell>, key: number): CountedCell => {
  const known = cells.get(key);
  if (known !== undefined) return known;
  const cell = { x: Math.floor(key / rowSpace), z: key % rowSpace, events: 0, first: null, isShared: false };
  cells.set(key, cell);
  return cell;
};

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

/** Square and player of each event, each in one text: to group 100,000 rows takes SQLite twice as long. */
async function readPlaces(
  db: Reader,
  { projectId, serverId, kind, weapon, hiddenFrom }: HeatQuery,
  from: number,
  until: number,
): Promise<{ squares: number[]; players: number[] }> {
  const of = kind === 'deaths' ? 'victim' : 'killer';
  const [x, z, player] = [sql.ref(`${of}_x`), sql.ref(`${of}_z`), sql.ref(`${of}_id`)];
  const index = (meters: RawBuilder<unknown>) =>
    sql`CAST(floor(${meters} / ${sql.lit(heatCellMeters)}) AS bigint)`;
  const square = sql`${index(x)} * ${sql.lit(rowSpace)} + ${index(z)}`;
  const listOf = (value: RawBuilder<unknown>) =>
    byDialect<string | null>(sql`json_group_array(${value})`, () => sql`json_agg(${value})::text`);
  const isOnMap = (meters: RawBuilder<unknown>) =>
    sql<boolean>`${meters} >= 0 AND ${meters} < ${sql.lit(mostMeters)}`;
  const { squares, players } = await db
    .selectFrom('death')
    .select([listOf(square).as('squares'), listOf(player).as('players')])
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
    .executeTakeFirstOrThrow();
  const numbersOf = (list: string | null) => JSON.parse(list ?? '[]') as number[];
  return { squares: numbersOf(squares), players: numbersOf(players) };
}
