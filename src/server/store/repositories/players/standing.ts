import { DateTime } from 'luxon';
import { sql } from 'kysely';
import { metricCodes, type MetricCode } from '../../../../api/metrics.ts';
import type { Reader } from '../../engine/database.ts';
import { metricColumns } from '../../engine/schema/metric-columns.ts';
import { isOnBoards } from './on-boards.ts';

/** The player's rank on each leaderboard on which the player is among the first `within`. Equal values share a rank. Who is not on boards has none. */
export async function readRanks(
  db: Reader,
  projectId: string,
  playerId: number,
  within: number,
): Promise<Partial<Record<MetricCode, number>>> {
  const own = await db
    .selectFrom('player_stats')
    .innerJoin('player', 'player.id', 'player_stats.player_id')
    .selectAll('player_stats')
    .where('player_id', '=', playerId)
    .where(isOnBoards)
    .executeTakeFirst();
  const ranked = await Promise.all(
    metricCodes.map(async (code) => {
      const column = metricColumns[code];
      if (!(Number(own?.[column]) > 0)) return [];
      const better = db
        .selectFrom('player_stats')
        .innerJoin('player', 'player.id', 'player_stats.player_id')
        .select('player_stats.player_id')
        .where('player_stats.project_id', '=', projectId)
        .where(isOnBoards)
        // As for the leaderboard: only with a literal does SQLite use the partial index.
        .where(sql<boolean>`${sql.ref(`player_stats.${column}`)} > 0`)
        // In the database, whose figures may be less exact than ours.
        .where(`player_stats.${column}`, '>', (query) =>
          query
            .selectFrom('player_stats as own')
            .select(`own.${column}`)
            .where('own.player_id', '=', playerId),
        )
        .limit(within);
      const { count } = await db
        .selectFrom(better.as('better'))
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count < within ? [[code, count + 1] as const] : [];
    }),
  );
  return Object.fromEntries(ranked.flat());
}

/**
 * Seconds that a player was on in logs of each of the last days in a time zone, today last; null: no log of the project was
 * counted. A run of a log counts as the day on which it started, since the store does not know when in it the player was on.
 */
export async function readPlayedDays(
  db: Reader,
  projectId: string,
  playerId: number,
  { days, zone, now }: { days: number; zone: string; now: number },
): Promise<number[] | null> {
  const counted = await db
    .selectFrom('server')
    .innerJoin('log_run', 'log_run.server_id', 'server.id')
    .select('log_run.id')
    .where('server.project_id', '=', projectId)
    .limit(1)
    .executeTakeFirst();
  if (counted === undefined) return null;
  const first = DateTime.fromMillis(now, { zone })
    .minus({ days: days - 1 })
    .startOf('day');
  const runs = await db
    .selectFrom('log_run_player')
    .innerJoin('log_run', 'log_run.id', 'log_run_player.run_id')
    .select(['log_run.started_at', `log_run_player.${metricColumns.PLAYTIME} as seconds`])
    .where('log_run_player.player_id', '=', playerId)
    .where('log_run.started_at', '>=', first.toMillis())
    .execute();
  const played = Array.from({ length: days }, () => 0);
  for (const { started_at, seconds } of runs) {
    const day = DateTime.fromMillis(started_at, { zone }).startOf('day');
    // Days of 23 and 25 hours are days, too, and a server's clock may be ahead of ours.
    const index = Math.min(Math.round(day.diff(first, 'days').days), days - 1);
    played[index] = (played[index] ?? 0) + seconds;
  }
  return played;
}
