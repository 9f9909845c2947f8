import type { Freshness } from '../api/client-types.ts';
import { isLogMetric } from '../api/log-metrics.ts';
import type { MetricCode } from '../api/metrics.ts';
import { playerKey, type Board, type BoardRows } from '../embeds/top.ts';
import type { CommandContext } from './command.ts';
import { optional } from './reads.ts';

/** The metric of a board that the service has, over all time. Null: the bot counts it from logs. */
export function servedMetric({ metric, period, weapon }: Board): MetricCode | null {
  if (metric === 'KD' || weapon !== null) return null;
  return period === null || !isLogMetric(metric) ? metric : null;
}

/** The first rows of a leaderboard. @throws errors of the client */
export async function readBoard(
  { client, community, now }: Pick<CommandContext, 'client' | 'community' | 'now'>,
  board: Board,
  limit: number,
): Promise<BoardRows & Freshness> {
  const { boards } = community;
  const metric = servedMetric(board);
  if (metric === null) return { ...(await boards.read(board, limit)), receivedAt: now, stale: false };
  const [answer, changes] = await Promise.all([
    client.listLeaderboards({ metric, limit }),
    optional(boards.changes(metric), new Map()),
  ]);
  const { receivedAt, stale, data } = answer;
  const rows = (data.leaderboards[0]?.rows ?? []).map(({ rank, player, value }) => {
    return { rank, player, value, change: changes.get(playerKey(player)) ?? null };
  });
  return { rows, since: null, previous: [], receivedAt, stale };
}
