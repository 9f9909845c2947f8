import { z } from 'zod';
import { identifierExpectation, identifierPattern, parseIdentifier } from './identifiers.ts';
import { isLogMetric, periodKinds } from './log-metrics.ts';
import { metricCodes, runMetrics, type MetricCode } from './metrics.ts';

/** No parameters at all. Its type is widened so that it joins with those of the other half, path or query. */
export const nothing: z.ZodType<Record<never, never>, Record<never, never>> = z.strictObject({});

export const serverPath = z.strictObject({
  serverId: z
    .string()
    .min(1, { error: 'expected the id of a server' })
    .meta({ description: 'The `id` of a server, from `GET /v1/servers`.', examples: ['northwood-1'] }),
});

export const banListPath = z.strictObject({
  banListId: z
    .string()
    .min(1, { error: 'expected the id of a ban list' })
    .meta({ description: 'The `id` of a ban list, from `GET /v1/banlists`.', examples: ['northwood-bans'] }),
});

export const playerPath = z.strictObject({
  identifier: z
    .string()
    .refine((text) => parseIdentifier(text) !== null, { error: `expected ${identifierExpectation}` })
    .meta({
      description: `An identifier of the player: ${identifierExpectation}.`,
      pattern: identifierPattern,
      examples: ['76561198017124053'],
    }),
});

/** Query parameters arrive as text: digits are read as the number that they are, all else is left to the check. */
export function integerBetween(
  min: number,
  max: number,
  fallback: number,
): z.ZodDefault<z.ZodType<number, number>> {
  const digitsToNumber = (value: unknown): unknown =>
    typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number(value) : value;
  const message = `expected a whole number from ${min} to ${max}`;
  const integer = z.int({ error: message }).min(min, { error: message }).max(max, { error: message });
  // The type that callers see: a number goes in, not just anything.
  const read = z.preprocess(digitsToNumber, integer) as unknown as z.ZodType<number, number>;
  return read.default(fallback);
}

export const metricCode = z.preprocess(
  (value) => (typeof value === 'string' && /^[a-z_]+$/i.test(value) ? value.toUpperCase() : value),
  z.enum(metricCodes, { error: `expected one of ${metricCodes.join(', ')}` }),
) as unknown as z.ZodType<MetricCode, string>;

export const periods = ['all', ...periodKinds] as const;

interface BoardQuery {
  metric?: MetricCode | undefined;
  period?: (typeof periods)[number] | undefined;
}

/** Whether there are leaderboards like these: not every metric is counted by period. */
export const isCounted = ({ metric, period = 'all' }: BoardQuery): boolean =>
  period === 'all' || metric === undefined || isLogMetric(metric);

export const countedByPeriod = `only these are counted by period: ${runMetrics.join(', ')}`;

/** `what`: for the message, such as `the application id, as a string`. Files from which secrets are read often end a line. */
export const credential = (what: string): z.ZodString =>
  z
    .string({ error: `expected ${what}` })
    .trim()
    .min(1)
    .max(200);
