import { metricCodes } from '../../../api/metrics.ts';
import { leaderboardMaxRows } from '../../../api/operations.ts';
import { readLeaderboard } from '../../store/repositories/players/leaderboards.ts';
import type { Handler } from './handler.ts';

export const listLeaderboards: Handler<'listLeaderboards'> = async (
  { metric, limit },
  { application, db },
) => {
  const rows = Math.min(limit, leaderboardMaxRows);
  const codes = metric === undefined ? metricCodes : [metric];
  return {
    leaderboards: await Promise.all(
      codes.map((code) => readLeaderboard(db, application.project.id, code, rows)),
    ),
  };
};
