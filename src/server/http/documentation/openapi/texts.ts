import {
  leaderboardMaxRows,
  onlinePlayersCacheMs,
  playersLimit,
  tokenLifetimeSeconds,
  tokenLimit,
  type OperationId,
} from '../../../../api/operations.ts';

/** Groups of operations, in reading order. */
export const tags = {
  Registration: 'Exchange the id and secret of an application for a bearer token.',
  Project: 'The project to which the application belongs.',
  Servers: 'Servers, their last known state and their public schedules.',
  Players: 'Who is on a server now, and who a player is.',
  Leaderboards: 'The best players by nine metrics.',
  'Ban lists': 'Ban lists and the bans that are in force.',
} as const;

export type Tag = keyof typeof tags;

/** What a reader needs to know of each operation besides its summary, parameters and answers. */
export const operationTexts: Readonly<Record<OperationId, { tag: Tag; text: string }>> = {
  register: {
    tag: 'Registration',
    text: [
      'Send `application_id` and `secret` in the body, as JSON or as a form. JSON is read whatever the Content-Type says.',
      'Both may be query parameters instead; the body wins over them and is the safer place for a secret.',
      `The token is valid ${tokenLifetimeSeconds / 3600} hours, or until the secret is rotated, so keep it rather than register for each request: registration is limited per application and address.`,
    ].join(' '),
  },
  getProject: {
    tag: 'Project',
    text: 'The project, the address of its public support page, and the branding of that page.',
  },
  listServers: {
    tag: 'Servers',
    text: 'All active servers. `players` is null for a server that is offline, rather than a figure from before.',
  },
  getServer: {
    tag: 'Servers',
    text: 'The same as in the list of servers. A server of another project, or one that is not active, is not found.',
  },
  listSchedules: {
    tag: 'Servers',
    text: 'Restarts, maintenance, events and wipes that are active and public.',
  },
  listOnlinePlayers: {
    tag: 'Players',
    text: [
      `The game server is asked at once, unless somebody asked less than ${onlinePlayersCacheMs / 1000} s ago: then \`cached\` is true.`,
      `Besides the general limit, ${playersLimit.quota} requests are admitted in any ${playersLimit.windowSeconds} s, counted before that cache.`,
      'Games such as DayZ tell neither identifiers nor names, so `players` may be empty while `online` is not.',
    ].join(' '),
  },
  listLeaderboards: {
    tag: 'Leaderboards',
    text: `Without \`metric\`, all nine; with it, a list of one. At most ${leaderboardMaxRows} rows of each are returned, and only values above 0. Equal values share a rank.`,
  },
  getPlayer: {
    tag: 'Players',
    text: 'Finds a player of the project by any of three identifiers. A BattlEye GUID is also found through the SteamID64 from which it is derived. Figures that no source reports are null, not 0.',
  },
  listBanlists: {
    tag: 'Ban lists',
    text: 'All active ban lists. `banCount` counts what the list of bans would hold without a limit.',
  },
  listBans: {
    tag: 'Ban lists',
    text: 'Bans that are active and not expired, the newest first.',
  },
};

/** The introduction of the document, in Markdown. */
export const introduction = `A read-only service through which bots and integrations read the data of one game-server project: its servers, schedules, leaderboards, players and bans. It runs nothing and changes nothing.

## Access
1. The owner of the project creates an application and receives its \`application_id\` and, once, its secret.
2. \`POST /v1/auth/register\` exchanges both for a bearer token, valid ${tokenLifetimeSeconds / 3600} hours. Rotating the secret makes every earlier token void at once.
3. Every other request carries \`Authorization: Bearer <token>\`. **Every** request, registration too, carries the header \`User-Agent\`, equal to the application_id letter by letter.
4. An operation needs its scope and its plan, both of them. \`x-scope\` and \`x-minimum-plan\` name them here; a plan includes what lower ones include (FREE, LITE, PRO).

What is refused is refused in this order: token 401, User-Agent 403, rate 429, suspended project 423, scope 403, plan 402, parameters 400, resource 404, source not configured 409, source not available 503.

## Limits
${tokenLimit.quota} requests in any ${tokenLimit.windowSeconds} s with one token, unless its application has another figure; ${playersLimit.quota} in any ${playersLimit.windowSeconds} s on the live list besides. The window slides: there is no minute at whose turn everything is given back. Answers say what is left in \`RateLimit\` and \`X-RateLimit-…\`; a refused request is told when to come back in \`Retry-After\`. A request refused with 401 or 403 spends nothing of a token's limit.

## Answers
Bodies are JSON. Times are RFC 3339 in UTC with milliseconds. What is not known is null: never 0, never left out. Every error has the same form, a stable code for programs and a message for people. Every \`GET\` can be asked with \`HEAD\`.`;
