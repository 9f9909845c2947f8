import { DateTime } from 'luxon';
import { type RawBuilder, sql } from 'kysely';
import { leastKillsForRatio, type LogMetric } from '../../../../api/log-metrics.ts';
import { isFrom, metrics, type RunMetric } from '../../../../api/metrics.ts';
import type { PlayerReference } from '../../../../api/resources.ts';
import type { Reader } from '../../engine/database.ts';
import { joinInOrder, valuesOf } from '../../engine/dialect.ts';
import { metricColumns } from '../../engine/schema/metric-columns.ts';
import { isOnBoards, onBoards } from './on-boards.ts';
import { referenceColumns, toReference } from './player-profiles.ts';

/** What a board counts: the runs that began from `from` until before `until`. Epoch milliseconds; null: all later ones. */
export interface FigureFilter {
  metric: LogMetric;
  from: number;
  until: number | null;
  serverIds?: readonly string[];
  atLeast?: number;
}

/** A player's figure, by the store's own id. */
export interface PlayerFigure {
  playerId: number;
  value: number;
}

export interface BoardRow extends PlayerFigure {
  player: PlayerReference;
}

/** Figures with the players themselves. Who has been merged into another player since is left out. */
export async function withPlayers<Row extends PlayerFigure>(
  db: Reader,
  figures: readonly Row[],
): Promise<(Row & BoardRow)[]> {
  const ids = figures.map(({ playerId }) => playerId);
  const rows = await db
    .selectFrom('player')
    .select(['id', ...referenceColumns])
    .where('id', 'in', valuesOf('integer', ids))
    .execute();
  const players = new Map(rows.map((row) => [row.id, toReference(row)]));
  return figures.flatMap((figure) => {
    const player = players.get(figure.playerId);
    return player === undefined ? [] : [{ ...figure, player }];
  });
}

/**
 * The first `limit` players of a project by what its servers' logs say of a period: figures above 0, greatest first, in a
 * fixed order where they are equal. A run counts whole in the period in which it began, so that weeks add up to the
 * leaderboard over all time.
 * @param filter also: on which servers (left out: all of the project), and the least figure that counts
 */
export async function readPeriodFigures(
  db: Reader,
  projectId: string,
  filter: FigureFilter,
  limit: number,
): Promise<PlayerFigure[]> {
  const { metric, from, until, serverIds, atLeast = 0 } = filter;
  const best = sql<PlayerFigure>`(
    SELECT player_id AS "playerId", ${valueOf(metric)} AS value FROM ${runsOf(projectId, from, until)}
    ${serverIds === undefined ? sql`` : sql`WHERE own.id IN ${valuesOf('text', serverIds)}`}
    GROUP BY player_id HAVING ${counts(metric)} AND ${valueOf(metric)} >= ${atLeast}
    AND ${onBoards('log_run_player.player_id')}
    ORDER BY value DESC, player_id LIMIT ${limit}
  )`;
  const rows = db.selectFrom(best.as('best')).selectAll();
  return await rows.orderBy('value', 'desc').orderBy('playerId').execute();
}

/** The first players over all time by kills per death, from every source of the project's leaderboards. */
export async function readRatioFigures(
  db: Reader,
  projectId: string,
  limit: number,
): Promise<PlayerFigure[]> {
  return await db
    .selectFrom('player_stats')
    .innerJoin('player', 'player.id', 'player_stats.player_id')
    .select(['player_id as playerId', ratioOf(sql`player_kills`, sql`coalesce(deaths, 0)`).as('value')])
    .where('player_stats.project_id', '=', projectId)
    .where(isOnBoards)
    // The condition of the partial index.
    .where(sql<boolean>`player_kills > 0`)
    .where('player_kills', '>=', leastKillsForRatio)
    .orderBy('value', 'desc')
    .orderBy('player_id')
    .limit(limit)
    .execute();
}

/**
 * The first `limit` players of a leaderboard over all time, as now, and what each of them had before the runs that began at
 * `since` or later. Null: the figures come from a `players.db`, which does not say when.
 */
export async function readFiguresBefore(
  db: Reader,
  projectId: string,
  metric: RunMetric,
  since: number,
  limit: number,
): Promise<(BoardRow & { before: number })[] | null> {
  if (isFrom(metric, 'players.db') && (await hasServerWithoutLogs(db, projectId))) return null;
  const total = sql.ref(`player_stats.${metricColumns[metric]}`);
  const column = sql.ref(metricColumns[metric]);
  const before =
    metrics[metric].join === 'sum'
      ? sql`value - coalesce(gained, 0)`
      : sql`CASE WHEN gained < value OR gained IS NULL THEN value ELSE coalesce((
          SELECT max(${column}) FROM log_run_player JOIN log_run ON log_run.id = log_run_player.run_id
          WHERE player_id = best.player_id AND started_at < ${since}
        ), 0) END`;
  const best = sql<{ player_id: number; value: number }>`(
    SELECT player_id, ${total} AS value FROM player_stats JOIN player ON player.id = player_stats.player_id
    WHERE player_stats.project_id = ${projectId} AND ${isOnBoards} AND ${total} > 0
    ORDER BY ${total} DESC, player_id LIMIT ${limit}
  )`;
  const gains = sql<{ gainer: number }>`(
    SELECT player_id AS gainer, ${valueOf(metric)} AS gained FROM ${runsOf(projectId, since, null)} GROUP BY player_id
  )`;
  const rows = await db
    .selectFrom(best.as('best'))
    .leftJoin(gains.as('gains'), 'gains.gainer', 'best.player_id')
    .select(['player_id as playerId', 'value', sql<number>`CAST(${before} AS double precision)`.as('before')])
    .orderBy('value', 'desc')
    .orderBy('player_id')
    .execute();
  return await withPlayers(db, rows);
}

/** When a week (from Monday) or month began in a time zone, epoch milliseconds: the running one, or `back` before it. */
export function startOfPeriod(period: 'week' | 'month', zone: string, now: number, back = 0): number {
  return DateTime.fromMillis(now, { zone })
    .minus({ [period]: back })
    .startOf(period)
    .toMillis();
}

/** Read by the index of runs by their start. */
const runsOf = (projectId: string, from: number, until: number | null): RawBuilder<unknown> => sql`
  (SELECT id FROM server WHERE project_id = ${projectId}) AS own
  ${joinInOrder} log_run ON log_run.server_id = own.id
    AND started_at >= ${from} AND started_at < ${until ?? Number.MAX_SAFE_INTEGER}
  ${joinInOrder} log_run_player ON log_run_player.run_id = log_run.id
`;

const ratioOf = (kills: RawBuilder<unknown>, deaths: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`CAST(${kills} AS double precision) / CASE WHEN ${deaths} > 0 THEN ${deaths} ELSE 1 END`;

/** Of all rows of a player. PostgreSQL's sums of whole numbers are none otherwise. */
function valueOf(metric: LogMetric): RawBuilder<unknown> {
  if (metric === 'KD') return ratioOf(sql`sum(player_kills)`, sql`sum(deaths)`);
  const column = sql.ref(metricColumns[metric]);
  return sql`CAST(${metrics[metric].join === 'sum' ? sql`sum(${column})` : sql`max(${column})`} AS double precision)`;
}

const counts = (metric: LogMetric): RawBuilder<unknown> =>
  metric === 'KD' ? sql`sum(player_kills) >= ${leastKillsForRatio}` : sql`${valueOf(metric)} > 0`;

/** Whether a project has a server whose `players.db` is read, and no log. */
async function hasServerWithoutLogs(db: Reader, projectId: string): Promise<boolean> {
  const server = await db
    .selectFrom('server')
    .innerJoin('players_db', 'players_db.server_id', 'server.id')
    .select('server.id')
    .where('project_id', '=', projectId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('log_run').select('id').whereRef('log_run.server_id', '=', 'server.id'))),
    )
    .limit(1)
    .executeTakeFirst();
  return server !== undefined;
}
