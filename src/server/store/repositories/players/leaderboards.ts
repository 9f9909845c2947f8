import { sql } from 'kysely';
import { formatMetricValue, metrics, type MetricCode } from '../../../../api/metrics.ts';
import type { BoardMetric } from '../../../../api/log-metrics.ts';
import type { Leaderboard, PlayerReference } from '../../../../api/resources.ts';
import type { Reader } from '../../engine/database.ts';
import { metricColumns } from '../../engine/schema/metric-columns.ts';
import { isOnBoards } from './on-boards.ts';
import { type PlayerFigure, readRatioFigures, withPlayers } from './period-boards.ts';

/**
 * The first `limit` rows of a metric: values above 0, greatest first, and equal ones by when the players were first
 * stored.
 */
export async function readLeaderboard(
  db: Reader,
  projectId: string,
  code: MetricCode,
  limit: number,
): Promise<Leaderboard> {
  return toLeaderboard(code, await withPlayers(db, await readLeaders(db, projectId, code, limit)));
}

/** The ranks of figures, of which the greatest come first. Equal ones share a rank: 1, 2, 2, 4. */
export function ranksOf(rows: readonly { value: number }[]): number[] {
  let rank = 0;
  return rows.map(({ value }, index) => {
    if (value !== rows[index - 1]?.value) rank = index + 1;
    return rank;
  });
}

/** A leaderboard as `/v1` answers it. */
export function toLeaderboard(
  code: MetricCode,
  rows: readonly { value: number; player: PlayerReference }[],
): Leaderboard {
  const { unit } = metrics[code];
  const ranks = ranksOf(rows);
  const shown = rows.map(({ value, player }, index) => {
    return { rank: ranks[index]!, value, valueText: formatMetricValue(unit, value), player };
  });
  return { metric: code, unit, rows: shown };
}

/** The figures and ids of a leaderboard without the players, by kills per death as well. */
export async function readLeaders(
  db: Reader,
  projectId: string,
  metric: BoardMetric,
  limit: number,
): Promise<PlayerFigure[]> {
  if (metric === 'KD') return await readRatioFigures(db, projectId, limit);
  const column = `player_stats.${metricColumns[metric]}` as const;
  return await db
    .selectFrom('player_stats')
    .innerJoin('player', 'player.id', 'player_stats.player_id')
    .select(['player_stats.player_id as playerId', sql<number>`${sql.ref(column)}`.as('value')])
    .where('player_stats.project_id', '=', projectId)
    .where(isOnBoards)
    // A literal, not a bound value: only then does SQLite use the partial index.
    .where(sql<boolean>`${sql.ref(column)} > 0`)
    .orderBy(column, 'desc')
    .orderBy('player_stats.player_id')
    .limit(limit)
    .execute();
}
