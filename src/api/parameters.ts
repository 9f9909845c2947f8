import { z } from 'zod';
import { identifierExpectation, identifierPattern, parseIdentifier } from './identifiers.ts';
import { isLogMetric, periodKinds } from './log-metrics.ts';
import { metricCodes, runMetrics, type MetricCode } from './metrics.ts';

/** No parameters in the path or query. Zod's own type, `Record<string, never>`, would make all of the other half `never`. */
export const noParameters: z.ZodType<Record<never, never>, Record<never, never>> = z.strictObject({});

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

/** An integer in the query, which arrives as text. Text that is not all digits is left as it is, and so refused. */
export function integerBetween(
  min: number,
  max: number,
  fallback: number,
): z.ZodDefault<z.ZodType<number, number>> {
  const digitsToNumber = (value: unknown): unknown =>
    typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number(value) : value;
  const message = `expected a whole number from ${min} to ${max}`;
  const integer = z.int({ error: message }).min(min, { error: message }).max(max, { error: message });
  // For the types of clients: they pass a number, where `preprocess` would take anything.
  const read = z.preprocess(digitsToNumber, integer) as unknown as z.ZodType<number, number>;
  return read.default(fallback);
}

/** In upper or lower case. */
export const metricCode = z.preprocess(
  (value) => (typeof value === 'string' && /^[a-z_]+$/i.test(value) ? value.toUpperCase() : value),
  z.enum(metricCodes, { error: `expected one of ${metricCodes.join(', ')}` }),
) as unknown as z.ZodType<MetricCode, string>;

/** `all` is the same as no period. */
export const periods = ['all', ...periodKinds] as const;

interface BoardQuery {
  metric?: MetricCode | undefined;
  period?: (typeof periods)[number] | undefined;
}

/** Whether the service has such leaderboards: not every metric is counted by period. */
export const hasBoards = ({ metric, period = 'all' }: BoardQuery): boolean =>
  period === 'all' || metric === undefined || isLogMetric(metric);

/** The same rule in words. */
export const hasBoardsText = `only these are counted by period: ${runMetrics.join(', ')}`;

/**
 * An id or secret. Trimmed, since a file from which one is read often ends with a line break.
 * @param what for the message, such as `the application id, as a string`
 */
export const credential = (what: string): z.ZodString =>
  z
    .string({ error: `expected ${what}` })
    .trim()
    .min(1)
    .max(200);
