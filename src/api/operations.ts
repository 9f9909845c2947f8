import { z } from 'zod';
import { scopes } from './access.ts';
import type { ErrorCode } from './errors.ts';
import { metricCodes } from './metrics.ts';
import type { ClientCaching, LimitPolicy, Operation } from './operation.ts';
import {
  banListPath,
  credential,
  hasBoards,
  hasBoardsText,
  integerBetween,
  metricCode,
  noParameters,
  periods,
  playerPath,
  serverPath,
} from './parameters.ts';
import * as resource from './resources.ts';

export type { LimitPolicy, Operation } from './operation.ts';

/** The limit of every operation that takes a token. An application may carry another quota. */
export const tokenLimit = { name: 'token', quota: 120, windowSeconds: 60 } as const satisfies LimitPolicy;
/** The extra limit of `listOnlinePlayers`. Requests that are answered from its cache count, too. */
export const playersLimit = { name: 'players', quota: 2, windowSeconds: 30 } as const satisfies LimitPolicy;

export const tokenLifetimeSeconds = 86_400;
/** Upper bound on the rows of a leaderboard, also where `limit` is greater. */
export const leaderboardMaxRows = 25;
/** For how long `listOnlinePlayers` gives the result of one query of the game server. */
export const onlinePlayersCacheMs = 5_000;

const timestamp = z.iso.datetime({ precision: 3 });

/** What the operations that only read have in common. */
const readOperation = {
  method: 'GET',
  params: noParameters,
  query: noParameters,
  body: null,
  limits: [],
  errors: [],
} as const;

/**
 * Every operation of the service. Routes, caches, client methods, documentation and tests are derived from this table.
 *
 * `maxAgeSeconds` is 0 where a caller must see a change at once, such as a ban that was lifted. Our own clients (`client`)
 * ask more often: a kill is to be on a leaderboard within five seconds, of which reading the log takes up to two. Ban lists
 * and their bans are kept equally long, so that `banCount` and the number of bans agree.
 */
export const operations = {
  register: {
    method: 'POST',
    path: '/v1/auth/register',
    tag: 'Registration',
    summary: 'Obtain a bearer token for an application',
    description: [
      'Send `application_id` and `secret` in the body, as JSON or as a form. JSON is read whatever the Content-Type says.',
      'Both may be query parameters instead; the body wins over them and is the safer place for a secret.',
      `The token is valid ${tokenLifetimeSeconds / 3600} hours, or until the secret is rotated, so keep it rather than register for each request: registration is limited per application and address.`,
    ].join(' '),
    scope: null,
    plan: null,
    params: noParameters,
    query: z.strictObject({
      application_id: z
        .string({ error: 'expected the application id, once' })
        .optional()
        .describe('The application id, where it is not in the body.'),
      secret: z
        .string({ error: "expected the application's secret, once" })
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
      expiresAt: timestamp.describe('When it expires.'),
      scopes: z.array(z.enum(scopes)).describe('What the application may read.'),
    }),
    limits: [],
    errors: ['invalid_credentials', 'payload_too_large', 'unsupported_media_type'],
    caching: { maxAgeSeconds: null, client: null },
  },
  getProject: {
    ...readOperation,
    path: '/v1/project',
    tag: 'Project',
    summary: 'The project and its support branding',
    description: 'The project, the address of its public support page, and the branding of that page.',
    scope: 'project:read',
    plan: 'FREE',
    response: z.strictObject({ project: resource.project, support: resource.support }),
    caching: { maxAgeSeconds: 60, client: { ms: 60_000 } },
  },
  listServers: {
    ...readOperation,
    path: '/v1/servers',
    tag: 'Servers',
    summary: 'Active servers with their last known state',
    description:
      'All active servers, in the order of the config. `players` is null for a server that is offline: an old number of players is not repeated.',
    scope: 'servers:read',
    plan: 'FREE',
    response: z.strictObject({ servers: z.array(resource.server) }),
    caching: { maxAgeSeconds: 5, client: { ms: 5_000, remoteBotMs: 10_000 } },
  },
  getServer: {
    ...readOperation,
    path: '/v1/server/{serverId}',
    tag: 'Servers',
    summary: 'One server with its last known state',
    description:
      'The same as in the list of servers. A server of another project, or one that is not active, is not found.',
    scope: 'servers:read',
    plan: 'FREE',
    params: serverPath,
    response: z.strictObject({ server: resource.server }),
    errors: ['not_found'],
    caching: { maxAgeSeconds: 5, client: { ms: 5_000 } },
  },
  listSchedules: {
    ...readOperation,
    path: '/v1/server/{serverId}/schedules',
    tag: 'Servers',
    summary: 'Active public schedules of a server',
    description:
      'Restarts, maintenance, events and wipes that are active and public, in the order of the config.',
    scope: 'schedules:read',
    plan: 'LITE',
    params: serverPath,
    response: z.strictObject({ schedules: z.array(resource.schedule) }),
    errors: ['not_found'],
    caching: { maxAgeSeconds: 60, client: { ms: 60_000, remoteBotMs: 600_000 } },
  },
  listOnlinePlayers: {
    ...readOperation,
    path: '/v1/server/{serverId}/players/online',
    tag: 'Players',
    summary: 'Players on a server, read live from its query port',
    description: [
      `Queries the game server, unless it was queried less than ${onlinePlayersCacheMs / 1000} s ago: then \`cached\` is true.`,
      `Besides the general limit, ${playersLimit.quota} requests are admitted in any ${playersLimit.windowSeconds} s, counted before that cache.`,
      'Games such as DayZ report neither identifiers nor names, so `players` may be empty while `online` is not. Names are in `fromLog` then, where the log of the server is followed.',
    ].join(' '),
    scope: 'players:read',
    plan: 'FREE',
    params: serverPath,
    response: resource.onlinePlayers,
    limits: [playersLimit],
    errors: ['not_found', 'data_source_not_configured', 'live_source_unavailable'],
    caching: { maxAgeSeconds: null, client: { ms: 15_000, embeddedBotMs: onlinePlayersCacheMs } },
  },
  listLeaderboards: {
    ...readOperation,
    path: '/v1/leaderboards',
    tag: 'Leaderboards',
    summary: 'The best players by one metric or by all',
    description: `Without \`metric\`, all ${metricCodes.length}, in the order of its values; with it, a list of one. At most ${leaderboardMaxRows} rows of each are returned, and only values above 0. Equal values share a rank. Hidden players are left out, and so are permanently banned ones unless the project shows them. With \`period\`, the logs of the game servers count, and ${hasBoardsText}. It is 404 where the project has no such period.`,
    scope: 'leaderboards:read',
    plan: 'LITE',
    query: z
      .strictObject({
        metric: metricCode
          .optional()
          .describe('One metric, in upper or lower case. Without it all leaderboards are returned.'),
        limit: integerBetween(1, 100, 10).describe(
          `Rows of each leaderboard. At most ${leaderboardMaxRows} are returned, also where \`limit\` is greater.`,
        ),
        period: z
          .enum(periods, { error: `expected one of ${periods.join(', ')}` })
          .optional()
          .describe(
            'The running week, month or season, or the time since the last wipe. Without it, all time.',
          ),
      })
      .refine(hasBoards, { path: ['metric'], error: hasBoardsText }),
    response: z.strictObject({
      since: timestamp
        .optional()
        .describe(
          'With a `period`: when it began, or when the first log did. A run of a server counts in the period in which it began.',
        ),
      until: timestamp
        .nullable()
        .optional()
        .describe('With a `period`: when it ends; null when that is not known.'),
      leaderboards: z.array(resource.leaderboard),
    }),
    errors: ['not_found'],
    caching: { maxAgeSeconds: 30, client: { ms: 3_000, embeddedBotMs: 2_000, remoteBotMs: 10_000 } },
  },
  getPlayer: {
    ...readOperation,
    path: '/v1/player/{identifier}',
    tag: 'Players',
    summary: 'A player of the project with aliases and statistics',
    description:
      'Finds a player of the project by any of three identifiers. A BattlEye GUID is also found through the SteamID64 from which it is derived. Figures that no source reports are null, not 0.',
    scope: 'players:read',
    plan: 'FREE',
    params: playerPath,
    response: z.strictObject({ player: resource.player }),
    errors: ['not_found'],
    caching: { maxAgeSeconds: 30, client: { ms: 5_000, embeddedBotMs: 2_000, remoteBotMs: 15_000 } },
  },
  listBanlists: {
    ...readOperation,
    path: '/v1/banlists',
    tag: 'Ban lists',
    summary: 'Active ban lists of the project',
    description:
      'All active ban lists, in the order of the config. `banCount` counts the bans that the list of bans would hold without a limit.',
    scope: 'banlists:read',
    plan: 'FREE',
    response: z.strictObject({ banlists: z.array(resource.banlist) }),
    caching: { maxAgeSeconds: 0, client: { ms: 10_000 } },
  },
  listBans: {
    ...readOperation,
    path: '/v1/banlists/{banListId}/bans',
    tag: 'Ban lists',
    summary: 'Active, unexpired bans of a list, newest first',
    description:
      'Bans that are active and not expired, newest first. One without `startsAt` stands where the service first saw it.',
    scope: 'banlists:read',
    plan: 'FREE',
    params: banListPath,
    query: z.strictObject({ limit: integerBetween(1, 200, 100).describe('Bans, at most.') }),
    response: z.strictObject({ bans: z.array(resource.ban) }),
    errors: ['not_found'],
    caching: { maxAgeSeconds: 0, client: { ms: 10_000 } },
  },
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
/** Operations that need a bearer token: all but registration. */
export type DataOperationId = Exclude<OperationId, 'register'>;

export const operationIds = Object.keys(operations) as OperationId[];
export const dataOperationIds = operationIds.filter((id): id is DataOperationId => id !== 'register');

/** For how long a client of a kind gives an answer of each operation again without asking. */
export function clientCacheMs(kind: keyof ClientCaching = 'ms'): Record<DataOperationId, number> {
  const entries = dataOperationIds.map((id) => {
    const { client }: Operation['caching'] = operations[id].caching;
    return [id, client?.[kind] ?? client?.ms ?? 0] as const;
  });
  return Object.fromEntries(entries) as Record<DataOperationId, number>;
}

/** Parameters as a caller gives them: path and query in one flat object. */
export type OperationInput<Id extends OperationId> = z.input<Operations[Id]['params']> &
  z.input<Operations[Id]['query']>;
/** Parameters as a handler receives them: checked, defaults filled in. */
export type OperationParameters<Id extends OperationId> = z.output<Operations[Id]['params']> &
  z.output<Operations[Id]['query']>;
export type OperationResponse<Id extends OperationId> = z.infer<Operations[Id]['response']>;

/** Every error code that an operation can answer. */
export function errorsOf(id: OperationId): ErrorCode[] {
  const { scope, plan, errors }: Operation = operations[id];
  const codes: ErrorCode[] = ['invalid_parameters'];
  if (scope !== null) codes.push('token_missing', 'token_invalid', 'insufficient_scope');
  if (plan !== null && plan !== 'FREE') codes.push('subscription_required');
  codes.push('user_agent_mismatch', 'project_suspended', 'rate_limited');
  codes.push('internal_error', 'service_unavailable', ...errors);
  return codes;
}
