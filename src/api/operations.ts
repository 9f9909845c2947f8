import { z } from 'zod';
import { scopes, type Plan, type Scope } from './access.ts';
import type { ErrorCode } from './errors.ts';
import { identifierExpectation, identifierPattern, parseIdentifier } from './identifiers.ts';
import { metricCodes, type MetricCode } from './metrics.ts';
import * as resource from './resources.ts';

/** Requests admitted in any window of `windowSeconds`, counted per token. */
export interface LimitPolicy {
  name: string;
  quota: number;
  windowSeconds: number;
}

/** The limit of every operation that takes a token. An application may carry another quota. */
export const tokenLimit = { name: 'token', quota: 120, windowSeconds: 60 } as const satisfies LimitPolicy;
/** The extra limit of the live list, counted before its cache. */
export const playersLimit = { name: 'players', quota: 2, windowSeconds: 30 } as const satisfies LimitPolicy;

export const tokenLifetimeSeconds = 86_400;
/** At most so many rows of a leaderboard are returned, whatever `limit` asks for. */
export const leaderboardMaxRows = 25;
/** Answers of the live list are served from memory for so long. */
export const onlinePlayersCacheMs = 5_000;

export interface Operation {
  method: 'GET' | 'POST';
  /** Path template: `{name}` stands for a path parameter. */
  path: string;
  summary: string;
  /** Null: the operation takes no bearer token. */
  scope: Scope | null;
  plan: Plan | null;
  params: z.ZodType<Record<string, string>>;
  query: z.ZodType;
  body: z.ZodType | null;
  response: z.ZodType;
  /** Limits besides the token's own. */
  limits: readonly LimitPolicy[];
  /** Errors besides those that every operation of its kind can answer; see `errorsOf`. */
  errors: readonly ErrorCode[];
}

/** Query parameters arrive as text: digits are read as the number that they are, all else is left to the check. */
function integerBetween(min: number, max: number, fallback: number): z.ZodDefault<z.ZodType<number, number>> {
  const digitsToNumber = (value: unknown): unknown =>
    typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number(value) : value;
  const message = `expected a whole number from ${min} to ${max}`;
  const integer = z.int({ error: message }).min(min, { error: message }).max(max, { error: message });
  // The type that callers see: a number goes in, not just anything.
  const read = z.preprocess(digitsToNumber, integer) as unknown as z.ZodType<number, number>;
  return read.default(fallback);
}

function metricCode(): z.ZodType<MetricCode, string> {
  const upperCase = (value: unknown): unknown =>
    typeof value === 'string' && /^[a-z_]+$/i.test(value) ? value.toUpperCase() : value;
  return z.preprocess(
    upperCase,
    z.enum(metricCodes, { error: `expected one of ${metricCodes.join(', ')}` }),
  ) as unknown as z.ZodType<MetricCode, string>;
}

/** No parameters at all. Its type is widened so that it joins with those of the other half, path or query. */
const nothing: z.ZodType<Record<never, never>, Record<never, never>> = z.strictObject({});
const serverPath = z.strictObject({
  serverId: z
    .string()
    .min(1)
    .meta({ description: 'The `id` of a server, from `GET /v1/servers`.', examples: ['northwood-1'] }),
});
const banListPath = z.strictObject({
  banListId: z
    .string()
    .min(1)
    .meta({ description: 'The `id` of a ban list, from `GET /v1/banlists`.', examples: ['northwood-bans'] }),
});
const credential = (what: string) =>
  z
    .string({ error: `expected ${what}` })
    .min(1)
    .max(200);

/** Every operation of the service. Routes, client methods, documentation and tests are derived from this table. */
export const operations = {
  register: {
    method: 'POST',
    path: '/v1/auth/register',
    summary: 'Obtain a bearer token for an application',
    scope: null,
    plan: null,
    params: nothing,
    query: z.strictObject({
      application_id: z.string().optional().describe('The application id, where it is not in the body.'),
      secret: z
        .string()
        .optional()
        .describe(
          'The secret, where it is not in the body. The body is the safer place: addresses are logged.',
        ),
    }),
    body: z.object({
      application_id: credential('the application id, as a string').describe('The application id.'),
      secret: credential("the application's secret, as a string").describe(
        'The secret, shown once when the application was created or its secret rotated.',
      ),
    }),
    response: z.strictObject({
      token: z.string().describe('The bearer token.'),
      tokenType: z.literal('Bearer').describe('How to send it: `Authorization: Bearer <token>`.'),
      expiresIn: z.int().positive().describe('Seconds for which it is valid.'),
      expiresAt: z.iso.datetime({ precision: 3 }).describe('When it expires.'),
      scopes: z.array(z.enum(scopes)).describe('What the application may read.'),
    }),
    limits: [],
    errors: ['invalid_credentials', 'payload_too_large', 'unsupported_media_type'],
  },
  getProject: {
    method: 'GET',
    path: '/v1/project',
    summary: 'The project and its support branding',
    scope: 'project:read',
    plan: 'FREE',
    params: nothing,
    query: nothing,
    body: null,
    response: z.strictObject({ project: resource.project, support: resource.support }),
    limits: [],
    errors: [],
  },
  listServers: {
    method: 'GET',
    path: '/v1/servers',
    summary: 'Active servers with their last known state',
    scope: 'servers:read',
    plan: 'FREE',
    params: nothing,
    query: nothing,
    body: null,
    response: z.strictObject({ servers: z.array(resource.server) }),
    limits: [],
    errors: [],
  },
  getServer: {
    method: 'GET',
    path: '/v1/server/{serverId}',
    summary: 'One server with its last known state',
    scope: 'servers:read',
    plan: 'FREE',
    params: serverPath,
    query: nothing,
    body: null,
    response: z.strictObject({ server: resource.server }),
    limits: [],
    errors: ['not_found'],
  },
  listSchedules: {
    method: 'GET',
    path: '/v1/server/{serverId}/schedules',
    summary: 'Active public schedules of a server',
    scope: 'schedules:read',
    plan: 'LITE',
    params: serverPath,
    query: nothing,
    body: null,
    response: z.strictObject({ schedules: z.array(resource.schedule) }),
    limits: [],
    errors: ['not_found'],
  },
  listOnlinePlayers: {
    method: 'GET',
    path: '/v1/server/{serverId}/players/online',
    summary: 'Players on a server, read live from its query port',
    scope: 'players:read',
    plan: 'FREE',
    params: serverPath,
    query: nothing,
    body: null,
    response: resource.onlinePlayers,
    limits: [playersLimit],
    errors: ['not_found', 'data_source_not_configured', 'live_source_unavailable'],
  },
  listLeaderboards: {
    method: 'GET',
    path: '/v1/leaderboards',
    summary: 'The best players by one metric or by all',
    scope: 'leaderboards:read',
    plan: 'LITE',
    params: nothing,
    query: z.strictObject({
      metric: metricCode()
        .optional()
        .describe('One metric, in upper or lower case. Without it all leaderboards are returned.'),
      limit: integerBetween(1, 100, 10).describe(
        `Rows of each leaderboard. At most ${leaderboardMaxRows} are returned, whatever is asked for.`,
      ),
    }),
    body: null,
    response: z.strictObject({ leaderboards: z.array(resource.leaderboard) }),
    limits: [],
    errors: [],
  },
  getPlayer: {
    method: 'GET',
    path: '/v1/player/{identifier}',
    summary: 'A player of the project with aliases and statistics',
    scope: 'players:read',
    plan: 'FREE',
    params: z.strictObject({
      identifier: z
        .string()
        .refine((text) => parseIdentifier(text) !== null, { error: `expected ${identifierExpectation}` })
        .meta({
          description: `An identifier of the player: ${identifierExpectation}.`,
          pattern: identifierPattern,
          examples: ['76561198017124053'],
        }),
    }),
    query: nothing,
    body: null,
    response: z.strictObject({ player: resource.player }),
    limits: [],
    errors: ['not_found'],
  },
  listBanlists: {
    method: 'GET',
    path: '/v1/banlists',
    summary: 'Active ban lists of the project',
    scope: 'banlists:read',
    plan: 'FREE',
    params: nothing,
    query: nothing,
    body: null,
    response: z.strictObject({ banlists: z.array(resource.banlist) }),
    limits: [],
    errors: [],
  },
  listBans: {
    method: 'GET',
    path: '/v1/banlists/{banListId}/bans',
    summary: 'Active, unexpired bans of a list, newest first',
    scope: 'banlists:read',
    plan: 'FREE',
    params: banListPath,
    query: z.strictObject({ limit: integerBetween(1, 200, 100).describe('Bans, at most.') }),
    body: null,
    response: z.strictObject({ bans: z.array(resource.ban) }),
    limits: [],
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
/** Operations that need a bearer token: all but registration. */
export type DataOperationId = Exclude<OperationId, 'register'>;

export const operationIds = Object.keys(operations) as OperationId[];
export const dataOperationIds = operationIds.filter((id): id is DataOperationId => id !== 'register');

/** Parameters as a caller gives them: path and query in one flat object. */
export type OperationInput<Id extends OperationId> = z.input<Operations[Id]['params']> &
  z.input<Operations[Id]['query']>;
/** Parameters as a handler receives them: checked, defaults filled in. */
export type OperationParameters<Id extends OperationId> = z.output<Operations[Id]['params']> &
  z.output<Operations[Id]['query']>;
export type OperationResponse<Id extends OperationId> = z.infer<Operations[Id]['response']>;

/** Every error code that an operation can answer. */
export function errorsOf(id: OperationId): ErrorCode[] {
  const operation: Operation = operations[id];
  const codes: ErrorCode[] = ['invalid_parameters'];
  if (operation.scope !== null) codes.push('token_missing', 'token_invalid', 'insufficient_scope');
  if (operation.plan !== null && operation.plan !== 'FREE') codes.push('subscription_required');
  codes.push(
    'user_agent_mismatch',
    'project_suspended',
    'rate_limited',
    'internal_error',
    ...operation.errors,
  );
  return codes;
}
