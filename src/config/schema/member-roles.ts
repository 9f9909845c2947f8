import { z } from 'zod';
import { boardMetrics, isLogMetric, logMetrics, periodKinds } from '../../api/log-metrics.ts';
import { leaderboardMaxRows } from '../../api/operations.ts';
import { snowflake, wholeNumber } from './values.ts';

const period = z
  .enum(periodKinds, { error: `expected ${periodKinds.join(', ')}` })
  .optional()
  .describe('the running one, counted from logs; default: all time');

const rules = {
  linked: z
    .literal(true, { error: 'expected true' })
    .optional()
    .describe('who is linked to a player (see discord.links)'),
  playTime: z
    .strictObject({
      hours: wholeNumber('hours', 1, 100_000).describe('at least'),
      period,
    })
    .optional()
    .describe('who has played so long'),
  rank: z
    .strictObject({
      first: wholeNumber('ranks', 1, leaderboardMaxRows).describe('3: ranks 1 to 3'),
      metric: z.enum(boardMetrics),
      period,
    })
    .refine(({ metric, period }) => period === undefined || isLogMetric(metric), {
      error: `expected a metric that logs have by period: ${logMetrics.join(', ')}; or no period`,
      path: ['metric'],
    })
    .optional()
    .describe('who is among the first of a leaderboard'),
  playedWithin: z
    .strictObject({ days: wholeNumber('days', 1, 3_650) })
    .optional()
    .describe('who was on in the last days'),
};
const ruleNames = Object.keys(rules) as (keyof typeof rules)[];

/** A role of a guild that members get and lose by what they do in the game. */
export const memberRole = z
  .strictObject({ roleId: snowflake.describe('a role of one of your Discord servers'), ...rules })
  .refine((role) => ruleNames.filter((name) => role[name] !== undefined).length === 1, {
    error: `expected exactly one of ${ruleNames.join(', ')}; for a second way to the same role, add another entry with its roleId`,
  });
