// Generated from the OpenAPI document by `npm run openapi`.
export interface paths {
  '/v1/auth/register': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Obtain a bearer token for an application
     * @description Send `application_id` and `secret` in the body, as JSON or as a form. JSON is read whatever the Content-Type says. Both may be query parameters instead; the body wins over them and is the safer place for a secret. The token is valid 24 hours, or until the secret is rotated, so keep it rather than register for each request: registration is limited per application and address.
     *
     *     No token needed.
     */
    post: operations['register'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/project': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The project and its support branding
     * @description The project, the address of its public support page, and the branding of that page.
     *
     *     Needs the scope `project:read` and the plan FREE or higher.
     */
    get: operations['getProject'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/servers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Active servers with their last known state
     * @description All active servers, in the order of the config. `players` is null for a server that is offline: an old number of players is not repeated.
     *
     *     Needs the scope `servers:read` and the plan FREE or higher.
     */
    get: operations['listServers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/server/{serverId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One server with its last known state
     * @description The same as in the list of servers. A server of another project, or one that is not active, is not found.
     *
     *     Needs the scope `servers:read` and the plan FREE or higher.
     */
    get: operations['getServer'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/server/{serverId}/schedules': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Active public schedules of a server
     * @description Restarts, maintenance, events and wipes that are active and public, in the order of the config.
     *
     *     Needs the scope `schedules:read` and the plan LITE or higher.
     */
    get: operations['listSchedules'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/server/{serverId}/players/online': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Players on a server, read live from its query port
     * @description Queries the game server, unless it was queried less than 5 s ago: then `cached` is true. Besides the general limit, 2 requests are admitted in any 30 s, counted before that cache. Games such as DayZ report neither identifiers nor names, so `players` may be empty while `online` is not.
     *
     *     Needs the scope `players:read` and the plan FREE or higher.
     */
    get: operations['listOnlinePlayers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/leaderboards': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The best players by one metric or by all
     * @description Without `metric`, all 9, in the order of its values; with it, a list of one. At most 25 rows of each are returned, and only values above 0. Equal values share a rank. Hidden players are left out, and so are permanently banned ones unless the project shows them.
     *
     *     Needs the scope `leaderboards:read` and the plan LITE or higher.
     */
    get: operations['listLeaderboards'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/player/{identifier}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A player of the project with aliases and statistics
     * @description Finds a player of the project by any of three identifiers. A BattlEye GUID is also found through the SteamID64 from which it is derived. Figures that no source reports are null, not 0.
     *
     *     Needs the scope `players:read` and the plan FREE or higher.
     */
    get: operations['getPlayer'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/banlists': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Active ban lists of the project
     * @description All active ban lists, in the order of the config. `banCount` counts the bans that the list of bans would hold without a limit.
     *
     *     Needs the scope `banlists:read` and the plan FREE or higher.
     */
    get: operations['listBanlists'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/banlists/{banListId}/bans': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Active, unexpired bans of a list, newest first
     * @description Bans that are active and not expired, newest first. One without `startsAt` stands where the service first saw it.
     *
     *     Needs the scope `banlists:read` and the plan FREE or higher.
     */
    get: operations['listBans'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Credentials: {
      /** @description The application id. */
      application_id: string;
      /** @description The secret, shown once when the application was created or its secret rotated. */
      secret: string;
    };
    /** @description A name by which a player was known, and when. */
    Alias: {
      /** @description A name that the player went by. */
      name: string;
      /**
       * Format: date-time
       * @description When the name was first seen.
       */
      firstSeenAt: string | null;
      /**
       * Format: date-time
       * @description When the name was last seen.
       */
      lastSeenAt: string | null;
    };
    /** @description A ban that is active and not expired. */
    Ban: {
      /**
       * @description What the ban is for.
       * @enum {string}
       */
      category: 'CHEATING' | 'GRIEFING' | 'TOXICITY' | 'EXPLOITING' | 'EVASION' | 'OTHER';
      /** @description Reason in words. */
      reason: string | null;
      /**
       * Format: date-time
       * @description When the ban began.
       */
      startsAt: string | null;
      /**
       * Format: date-time
       * @description When the ban ends; null when it has no end.
       */
      expiresAt: string | null;
      /** @description True when the ban has no end. */
      permanent: boolean;
      player: components['schemas']['BannedPlayer'];
      /** @description Where the ban is applied. */
      targets: components['schemas']['BanTarget'][];
    };
    /** @description Where a ban is applied, and whether it is enforced there. */
    BanTarget: {
      /**
       * @description What the ban is applied to.
       * @constant
       */
      type: 'SERVER';
      /** @description Identifier of the server. */
      serverId: string;
      /** @description Name of the server. */
      name: string;
      /**
       * @description `ENFORCED`: a ban file of the server holds the player; `PENDING`: none does yet; `FAILED`: it could not be applied there. Outpost only reads ban files and never answers this.
       * @enum {string}
       */
      state: 'ENFORCED' | 'PENDING' | 'FAILED';
    };
    /** @description An active ban list of the project. */
    Banlist: {
      /** @description Identifier of the list, used as `banListId`. */
      id: string;
      /** @description Name of the list. */
      name: string;
      /** @description Description, null when none is set. */
      description: string | null;
      /** @description Whether the list is marked public. */
      isPublic: boolean;
      /**
       * @description How far the list has been verified.
       * @enum {string}
       */
      verificationStatus: 'UNVERIFIED' | 'PENDING' | 'VERIFIED';
      /** @description Bans of the list that are active and not expired. */
      banCount: number;
    };
    /** @description The player whom a ban is for. Unknown fields are null. */
    BannedPlayer: {
      /** @description SteamID64: 17 digits. */
      steamId64: string | null;
      /** @description BattlEye GUID: 32 hex digits in lower case. */
      battleyeGuid: string | null;
      /** @description CFTools id: 24 hex digits in lower case. */
      cftoolsId: string | null;
      /** @description Latest known name. */
      name: string | null;
      /** @description Known names, the latest first, 100 at most. */
      aliases: components['schemas']['Alias'][];
    };
    /** @description The best players by one metric. */
    Leaderboard: {
      /**
       * @description What is counted.
       * @enum {string}
       */
      metric:
        | 'PLAYER_KILLS'
        | 'DEATHS'
        | 'SUICIDES'
        | 'LONGEST_HIT'
        | 'LONGEST_KILL'
        | 'ZOMBIE_KILLS'
        | 'ANIMAL_KILLS'
        | 'PLAYTIME'
        | 'LONGEST_LIFE';
      /**
       * @description Unit of every `value`.
       * @enum {string}
       */
      unit: 'count' | 'meters' | 'seconds';
      /** @description The best first; only values above 0. */
      rows: components['schemas']['LeaderboardRow'][];
    };
    /** @description One place of a leaderboard. */
    LeaderboardRow: {
      /** @description Place; equal values share one (1, 2, 2, 4). */
      rank: number;
      /** @description The figure, in the `unit` of the leaderboard. */
      value: number;
      /** @description The figure as it is displayed: `1,234`, `812.4 m`, `3d 4h 12m`. */
      valueText: string;
      player: components['schemas']['PlayerReference'];
    };
    /** @description A player on the server. */
    OnlinePlayer: {
      /** @description SteamID64: 17 digits. */
      steamId64: string;
      /** @description Current name. */
      name: string;
    };
    /** @description Who is on a server, read live from its query port. */
    OnlinePlayers: {
      /** @description Players as the query of the server counts them. */
      online: number | null;
      /** @description Entries that the query listed. */
      listedPlayers: number;
      /** @description The entries that have both a SteamID64 and a name. DayZ itself reports neither. */
      players: components['schemas']['OnlinePlayer'][];
      /** @description Entries without a SteamID64 or without a name. */
      incompletePlayers: number;
      /**
       * Format: date-time
       * @description When the server was queried.
       */
      observedAt: string;
      /**
       * @description Library that queried it.
       * @constant
       */
      source: 'GAMEDIG';
      /** @description True: the answer to an earlier request, a few seconds old. */
      cached: boolean;
    };
    /** @description A player who is known in the project, with names and figures. */
    Player: {
      /** @description SteamID64: 17 digits. */
      steamId64: string | null;
      /** @description BattlEye GUID: 32 hex digits in lower case. */
      battleyeGuid: string | null;
      /** @description CFTools id: 24 hex digits in lower case. */
      cftoolsId: string | null;
      /** @description Latest known name. */
      name: string | null;
      /** @description Known names, the latest first, 100 at most. */
      aliases: components['schemas']['Alias'][];
      /**
       * Format: date-time
       * @description When the player was first seen.
       */
      firstSeenAt: string | null;
      /**
       * Format: date-time
       * @description When the player was last seen.
       */
      lastSeenAt: string | null;
      stats: components['schemas']['PlayerStats'];
    };
    /** @description A player: three identifiers and the latest name, each null when not known. */
    PlayerReference: {
      /** @description SteamID64: 17 digits. */
      steamId64: string | null;
      /** @description BattlEye GUID: 32 hex digits in lower case. */
      battleyeGuid: string | null;
      /** @description CFTools id: 24 hex digits in lower case. */
      cftoolsId: string | null;
      /** @description Latest known name. */
      name: string | null;
    };
    /** @description Figures of a player over all servers of the project. Those that no source reports are null. */
    PlayerStats: {
      /** @description Kills of other players. */
      playerKills: number | null;
      /** @description Deaths. */
      deaths: number | null;
      /** @description Deaths that were suicides. */
      suicides: number | null;
      /** @description Longest distance of a hit in metres. */
      longestHitMeters: number | null;
      /** @description Longest distance of a kill in metres. */
      longestKillMeters: number | null;
      /** @description Infected killed. */
      zombieKills: number | null;
      /** @description Animals killed. */
      animalKills: number | null;
      /** @description Total play time in seconds. */
      totalPlaySeconds: number | null;
      /** @description Longest life in seconds. */
      longestLifeSeconds: number | null;
    };
    /** @description The project to which the application belongs. */
    Project: {
      /** @description Identifier of the project inside the service. */
      id: string;
      /** @description Name of the project. */
      name: string;
      /** @description Name of the project's public support page in its address. */
      slug: string;
      /**
       * Format: uri
       * @description Address of the public support page; null when the service has no support pages.
       */
      supportUrl: string | null;
    };
    /** @description A schedule that is active and that the owner of the server made public. */
    Schedule: {
      /**
       * @description What happens.
       * @enum {string}
       */
      kind: 'RESTART' | 'MAINTENANCE' | 'EVENT' | 'WIPE' | 'OTHER';
      /** @description Public title. */
      title: string;
      /** @description Description, null when none is set. */
      description: string | null;
      /**
       * @description How it repeats.
       * @enum {string}
       */
      recurrence: 'INTERVAL' | 'DAILY' | 'WEEKLY';
      /** @description Minutes between two runs of an `INTERVAL`. */
      intervalMinutes: number | null;
      /** @description `HH:mm` in `timezone`. An `INTERVAL` counts from it, or from 00:00 when it is null. One below 1440 minutes starts again each day (300 from 02:00: 02:00, 07:00, 12:00, 17:00, 22:00, then 02:00); a longer one counts from 1970-01-01. */
      timeOfDay: string | null;
      /** @description Days of a `WEEKLY` schedule; empty for the others. */
      weekdays: ('MON' | 'TUE' | 'WED' | 'THU' | 'FRI' | 'SAT' | 'SUN')[];
      /** @description IANA time zone, such as `Europe/Berlin`. */
      timezone: string;
    };
    /** @description An active server with its last known state. Fields that the server did not report are null. */
    Server: {
      /** @description Identifier of the server in the service, used as `serverId`. No address, no port, no display name. */
      id: string;
      /** @description Name of the server in the service. */
      name: string;
      /** @description Technical name of the game map, as the server last reported it. */
      map: string | null;
      /**
       * @description Last known state; `UNKNOWN`: not checked yet, or it cannot be checked.
       * @enum {string}
       */
      status: 'ONLINE' | 'OFFLINE' | 'UNKNOWN';
      /** @description Players at the last check; null when not `ONLINE`. */
      players: number | null;
      /** @description Number of slots. */
      maxPlayers: number | null;
      /**
       * Format: date-time
       * @description When the service last checked the server.
       */
      checkedAt: string | null;
    };
    /** @description The project's support branding. Fields that the owner did not set are null. */
    Support: {
      /** @description Title of the support page. */
      title: string | null;
      /** @description Description on the support page. */
      description: string | null;
      /** @description Colour of the brand: `#` and six hex digits. */
      accentColor: string | null;
      /**
       * Format: uri
       * @description Address of the logo.
       */
      logoUrl: string | null;
      /**
       * Format: uri
       * @description Address of the banner.
       */
      bannerUrl: string | null;
      /**
       * Format: uri
       * @description Invitation to the Discord of the project.
       */
      discordUrl: string | null;
    };
    /** @description Every answer that is not a success. */
    Error: {
      /**
       * @description Stable code for programs.
       * @enum {string}
       */
      error:
        | 'invalid_parameters'
        | 'token_missing'
        | 'token_invalid'
        | 'subscription_required'
        | 'invalid_credentials'
        | 'user_agent_mismatch'
        | 'insufficient_scope'
        | 'not_found'
        | 'method_not_allowed'
        | 'request_timeout'
        | 'data_source_not_configured'
        | 'payload_too_large'
        | 'uri_too_long'
        | 'unsupported_media_type'
        | 'project_suspended'
        | 'rate_limited'
        | 'headers_too_large'
        | 'internal_error'
        | 'method_not_implemented'
        | 'live_source_unavailable'
        | 'service_unavailable'
        | 'http_version_not_supported';
      /** @description Message for people: what was expected, and where. Its words may change. */
      message: string;
      /** @description The `X-Request-Id` under which the service logged the request. */
      requestId: string;
      /** @description With `invalid_parameters`: the wrong inputs, at most ten of them. */
      details?: components['schemas']['ErrorDetail'][];
      /**
       * @description With `subscription_required`: the lowest plan that includes the operation.
       * @enum {string}
       */
      requiredPlan?: 'FREE' | 'LITE' | 'PRO';
      /**
       * @description With `insufficient_scope`: the scope that the application lacks.
       * @enum {string}
       */
      requiredScope?:
        | 'project:read'
        | 'servers:read'
        | 'schedules:read'
        | 'leaderboards:read'
        | 'players:read'
        | 'banlists:read';
      /** @description With `rate_limited` and both `…_unavailable`: seconds after which to try again. */
      retryAfter?: number;
    };
    /** @description One wrong input. */
    ErrorDetail: {
      /**
       * @description Where the input was.
       * @enum {string}
       */
      in: 'path' | 'query' | 'body' | 'headers';
      /** @description Name of the input; empty: all of it. */
      path: string;
      /** @description What was expected. */
      message: string;
    };
    /** @description The same error as Problem Details (RFC 9457), when `Accept` asks for `application/problem+json`. */
    Problem: {
      /**
       * @description Stable code for programs.
       * @enum {string}
       */
      error:
        | 'invalid_parameters'
        | 'token_missing'
        | 'token_invalid'
        | 'subscription_required'
        | 'invalid_credentials'
        | 'user_agent_mismatch'
        | 'insufficient_scope'
        | 'not_found'
        | 'method_not_allowed'
        | 'request_timeout'
        | 'data_source_not_configured'
        | 'payload_too_large'
        | 'uri_too_long'
        | 'unsupported_media_type'
        | 'project_suspended'
        | 'rate_limited'
        | 'headers_too_large'
        | 'internal_error'
        | 'method_not_implemented'
        | 'live_source_unavailable'
        | 'service_unavailable'
        | 'http_version_not_supported';
      /** @description Message for people: what was expected, and where. Its words may change. */
      message: string;
      /** @description The `X-Request-Id` under which the service logged the request. */
      requestId: string;
      /** @description With `invalid_parameters`: the wrong inputs, at most ten of them. */
      details?: components['schemas']['ErrorDetail'][];
      /**
       * @description With `subscription_required`: the lowest plan that includes the operation.
       * @enum {string}
       */
      requiredPlan?: 'FREE' | 'LITE' | 'PRO';
      /**
       * @description With `insufficient_scope`: the scope that the application lacks.
       * @enum {string}
       */
      requiredScope?:
        | 'project:read'
        | 'servers:read'
        | 'schedules:read'
        | 'leaderboards:read'
        | 'players:read'
        | 'banlists:read';
      /** @description With `rate_limited` and both `…_unavailable`: seconds after which to try again. */
      retryAfter?: number;
      /**
       * @description `error` has the code.
       * @constant
       */
      type: 'about:blank';
      /** @description The status's name in HTTP. */
      title: string;
      status: number;
      /** @description The same as `message`. */
      detail: string;
    };
    RegisterResponse: {
      /** @description The bearer token. */
      token: string;
      /**
       * @description How to send it: `Authorization: Bearer <token>`.
       * @constant
       */
      tokenType: 'Bearer';
      /** @description Seconds for which it is valid. */
      expiresIn: number;
      /**
       * Format: date-time
       * @description When it expires.
       */
      expiresAt: string;
      /** @description What the application may read. */
      scopes: (
        | 'project:read'
        | 'servers:read'
        | 'schedules:read'
        | 'leaderboards:read'
        | 'players:read'
        | 'banlists:read'
      )[];
    };
    GetProjectResponse: {
      project: components['schemas']['Project'];
      support: components['schemas']['Support'];
    };
    ListServersResponse: {
      servers: components['schemas']['Server'][];
    };
    GetServerResponse: {
      server: components['schemas']['Server'];
    };
    ListSchedulesResponse: {
      schedules: components['schemas']['Schedule'][];
    };
    ListLeaderboardsResponse: {
      leaderboards: components['schemas']['Leaderboard'][];
    };
    GetPlayerResponse: {
      player: components['schemas']['Player'];
    };
    ListBanlistsResponse: {
      banlists: components['schemas']['Banlist'][];
    };
    ListBansResponse: {
      bans: components['schemas']['Ban'][];
    };
  };
  responses: never;
  parameters: {
    /** @description The `ETag` of an earlier answer: the answer is 304 without a body while nothing has changed. */
    IfNoneMatch: string;
  };
  requestBodies: never;
  headers: {
    /**
     * @description The request's id in the log of the service: the caller's own `X-Request-Id` if it is valid, else a new one.
     * @example 0a4f6d1e-43f1-4bb6-9f2b-7b4f0d9f3c55
     */
    'X-Request-Id': string;
    /**
     * @description The answer must not be stored.
     * @example no-store
     */
    'Cache-Control': 'no-store';
    /**
     * @description Identifies the body. Send it back as `If-None-Match`: the answer is 304 without a body while nothing has changed.
     * @example "Yb0xWkqbYqLrBmdyoMFt9LQ9h0a"
     */
    ETag: string;
    /**
     * @description The limits that count for this operation (draft-ietf-httpapi-ratelimit-headers-11): `q` requests in any `w` seconds. `token` counts for all operations, `players` for the live list besides.
     * @example "token";q=120;w=60
     */
    'RateLimit-Policy': string;
    /**
     * @description What is left of each limit: `r` requests, and `t` seconds until the next one becomes available.
     * @example "token";r=117;t=42
     */
    RateLimit: string;
    /**
     * @description Requests that the tightest limit admits in its window.
     * @example 120
     */
    'X-RateLimit-Limit': number;
    /**
     * @description Requests left in that window.
     * @example 117
     */
    'X-RateLimit-Remaining': number;
    /**
     * @description Seconds until the next one becomes available.
     * @example 42
     */
    'X-RateLimit-Reset': number;
    /**
     * @description Whole seconds after which to try again.
     * @example 12
     */
    'Retry-After': number;
    /**
     * @description How to authenticate (RFC 6750).
     * @example Bearer error="invalid_token"
     */
    'WWW-Authenticate': string;
    /**
     * @description The methods that this path supports.
     * @example GET, HEAD, OPTIONS
     */
    Allow: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  register: {
    parameters: {
      query?: {
        /** @description The application id, where it is not in the body. */
        application_id?: string;
        /** @description The secret, where it is not in the body. The body is the safer place: addresses are logged. */
        secret?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description The credentials of the application. Left out only when they are query parameters. */
    requestBody?: {
      content: {
        /**
         * @example {
         *       "application_id": "app_WdQyOPZlAq8V2cNf0ThuYxBmKj5E3rGs7LIi1okUXaM",
         *       "secret": "ops_4nHvSe9tR1bJcPzKqXw3yGuMfD7LiaQ0oTB5WmhEkVs"
         *     }
         */
        'application/json': components['schemas']['Credentials'];
        /**
         * @example {
         *       "application_id": "app_WdQyOPZlAq8V2cNf0ThuYxBmKj5E3rGs7LIi1okUXaM",
         *       "secret": "ops_4nHvSe9tR1bJcPzKqXw3yGuMfD7LiaQ0oTB5WmhEkVs"
         *     }
         */
        'application/x-www-form-urlencoded': components['schemas']['Credentials'];
      };
    };
    responses: {
      /** @description Obtain a bearer token for an application. */
      200: {
        headers: {
          'Cache-Control': components['headers']['Cache-Control'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "token": "opt_m2KsVxY8eDqLJ4hFzWg9uTRcNb0iXaP6oBQ1yHlvGtE",
           *       "tokenType": "Bearer",
           *       "expiresIn": 86400,
           *       "expiresAt": "2026-11-23T08:15:24.382Z",
           *       "scopes": [
           *         "project:read",
           *         "servers:read",
           *         "schedules:read",
           *         "leaderboards:read",
           *         "players:read",
           *         "banlists:read"
           *       ]
           *     }
           */
          'application/json': components['schemas']['RegisterResponse'];
        };
      };
      /** @description `invalid_parameters`: a parameter is invalid or unknown, or the body cannot be read; `details` lists the problems. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'invalid_parameters';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `user_agent_mismatch`: the User-Agent is not the application_id.
       *
       *     `invalid_credentials`: no application has this application_id and secret.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'user_agent_mismatch' | 'invalid_credentials';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `method_not_allowed`: the path does not support the method; `Allow` lists those it supports. */
      405: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          Allow: components['headers']['Allow'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'method_not_allowed';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `payload_too_large`: the body is longer than 4 KiB. */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'payload_too_large';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `unsupported_media_type`: the body is encoded. */
      415: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'unsupported_media_type';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `project_suspended`: the project is suspended. */
      423: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'project_suspended';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `rate_limited`: a limit is reached; try again after `Retry-After` seconds. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'rate_limited';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `internal_error`: the service failed; its log has the cause under the `requestId`. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'internal_error';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `service_unavailable`: the database does not answer, on which limits and data depend; try again after `Retry-After` seconds. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'service_unavailable';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getProject: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier answer: the answer is 304 without a body while nothing has changed. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The project and its support branding. */
      200: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=60
           */
          'Cache-Control': 'private, max-age=60';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "project": {
           *         "id": "prj_O0NTtZ3OgWgP",
           *         "name": "Northwood",
           *         "slug": "northwood",
           *         "supportUrl": "https://example.org/support/northwood"
           *       },
           *       "support": {
           *         "title": "Northwood",
           *         "description": "Two DayZ servers, one community.",
           *         "accentColor": "#3BA55D",
           *         "logoUrl": null,
           *         "bannerUrl": null,
           *         "discordUrl": null
           *       }
           *     }
           */
          'application/json': components['schemas']['GetProjectResponse'];
        };
      };
      /** @description The answer that the caller has under this `If-None-Match` is still valid. The request counts against the limits. */
      304: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=60
           */
          'Cache-Control': 'private, max-age=60';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_parameters`: a parameter is invalid or unknown, or the body cannot be read; `details` lists the problems. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'invalid_parameters';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `token_missing`: no bearer token was sent.
       *
       *     `token_invalid`: the token is malformed, unknown or expired, or the secret was rotated.
       */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'token_missing' | 'token_invalid';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `insufficient_scope`: the application does not hold the scope; `requiredScope` names it.
       *
       *     `user_agent_mismatch`: the User-Agent is not the application_id.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'insufficient_scope' | 'user_agent_mismatch';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `method_not_allowed`: the path does not support the method; `Allow` lists those it supports. */
      405: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          Allow: components['headers']['Allow'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'method_not_allowed';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `project_suspended`: the project is suspended. */
      423: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'project_suspended';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `rate_limited`: a limit is reached; try again after `Retry-After` seconds. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'rate_limited';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `internal_error`: the service failed; its log has the cause under the `requestId`. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'internal_error';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `service_unavailable`: the database does not answer, on which limits and data depend; try again after `Retry-After` seconds. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'service_unavailable';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listServers: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier answer: the answer is 304 without a body while nothing has changed. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Active servers with their last known state. */
      200: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=5
           */
          'Cache-Control': 'private, max-age=5';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "servers": [
           *         {
           *           "id": "northwood-1",
           *           "name": "Northwood | Chernarus",
           *           "map": "chernarusplus",
           *           "status": "ONLINE",
           *           "players": 37,
           *           "maxPlayers": 60,
           *           "checkedAt": "2026-11-22T08:15:17.637Z"
           *         },
           *         {
           *           "id": "northwood-2",
           *           "name": "Northwood | Livonia",
           *           "map": "enoch",
           *           "status": "ONLINE",
           *           "players": 12,
           *           "maxPlayers": 40,
           *           "checkedAt": "2026-11-22T08:15:17.683Z"
           *         },
           *         {
           *           "id": "northwood-mute",
           *           "name": "Northwood | Sakhal",
           *           "map": null,
           *           "status": "UNKNOWN",
           *           "players": null,
           *           "maxPlayers": null,
           *           "checkedAt": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ListServersResponse'];
        };
      };
      /** @description The answer that the caller has under this `If-None-Match` is still valid. The request counts against the limits. */
      304: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=5
           */
          'Cache-Control': 'private, max-age=5';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_parameters`: a parameter is invalid or unknown, or the body cannot be read; `details` lists the problems. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'invalid_parameters';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `token_missing`: no bearer token was sent.
       *
       *     `token_invalid`: the token is malformed, unknown or expired, or the secret was rotated.
       */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'token_missing' | 'token_invalid';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `insufficient_scope`: the application does not hold the scope; `requiredScope` names it.
       *
       *     `user_agent_mismatch`: the User-Agent is not the application_id.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'insufficient_scope' | 'user_agent_mismatch';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `method_not_allowed`: the path does not support the method; `Allow` lists those it supports. */
      405: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          Allow: components['headers']['Allow'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'method_not_allowed';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `project_suspended`: the project is suspended. */
      423: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'project_suspended';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `rate_limited`: a limit is reached; try again after `Retry-After` seconds. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'rate_limited';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `internal_error`: the service failed; its log has the cause under the `requestId`. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'internal_error';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `service_unavailable`: the database does not answer, on which limits and data depend; try again after `Retry-After` seconds. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'service_unavailable';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getServer: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier answer: the answer is 304 without a body while nothing has changed. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The `id` of a server, from `GET /v1/servers`.
         * @example northwood-1
         */
        serverId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One server with its last known state. */
      200: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=5
           */
          'Cache-Control': 'private, max-age=5';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "server": {
           *         "id": "northwood-1",
           *         "name": "Northwood | Chernarus",
           *         "map": "chernarusplus",
           *         "status": "ONLINE",
           *         "players": 37,
           *         "maxPlayers": 60,
           *         "checkedAt": "2026-11-22T08:15:17.637Z"
           *       }
           *     }
           */
          'application/json': components['schemas']['GetServerResponse'];
        };
      };
      /** @description The answer that the caller has under this `If-None-Match` is still valid. The request counts against the limits. */
      304: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=5
           */
          'Cache-Control': 'private, max-age=5';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_parameters`: a parameter is invalid or unknown, or the body cannot be read; `details` lists the problems. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'invalid_parameters';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `token_missing`: no bearer token was sent.
       *
       *     `token_invalid`: the token is malformed, unknown or expired, or the secret was rotated.
       */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'token_missing' | 'token_invalid';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `insufficient_scope`: the application does not hold the scope; `requiredScope` names it.
       *
       *     `user_agent_mismatch`: the User-Agent is not the application_id.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'insufficient_scope' | 'user_agent_mismatch';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `not_found`: the project has no such resource, or it is not active. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'not_found';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `method_not_allowed`: the path does not support the method; `Allow` lists those it supports. */
      405: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          Allow: components['headers']['Allow'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'method_not_allowed';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `project_suspended`: the project is suspended. */
      423: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'project_suspended';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `rate_limited`: a limit is reached; try again after `Retry-After` seconds. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'rate_limited';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `internal_error`: the service failed; its log has the cause under the `requestId`. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'internal_error';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `service_unavailable`: the database does not answer, on which limits and data depend; try again after `Retry-After` seconds. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'service_unavailable';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listSchedules: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier answer: the answer is 304 without a body while nothing has changed. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The `id` of a server, from `GET /v1/servers`.
         * @example northwood-1
         */
        serverId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Active public schedules of a server. */
      200: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=60
           */
          'Cache-Control': 'private, max-age=60';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schedules": [
           *         {
           *           "kind": "RESTART",
           *           "title": "Restart",
           *           "description": "Four-hourly, with a warning in the game fifteen minutes ahead.",
           *           "recurrence": "INTERVAL",
           *           "intervalMinutes": 240,
           *           "timeOfDay": "02:00",
           *           "weekdays": [],
           *           "timezone": "Europe/Berlin"
           *         },
           *         {
           *           "kind": "EVENT",
           *           "title": "Airfield night",
           *           "description": "Double loot at the north-west airfield.",
           *           "recurrence": "WEEKLY",
           *           "intervalMinutes": null,
           *           "timeOfDay": "20:00",
           *           "weekdays": [
           *             "FRI",
           *             "SAT"
           *           ],
           *           "timezone": "Europe/Berlin"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ListSchedulesResponse'];
        };
      };
      /** @description The answer that the caller has under this `If-None-Match` is still valid. The request counts against the limits. */
      304: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=60
           */
          'Cache-Control': 'private, max-age=60';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_parameters`: a parameter is invalid or unknown, or the body cannot be read; `details` lists the problems. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'invalid_parameters';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `token_missing`: no bearer token was sent.
       *
       *     `token_invalid`: the token is malformed, unknown or expired, or the secret was rotated.
       */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'token_missing' | 'token_invalid';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `subscription_required`: the project's plan does not include the operation; `requiredPlan` does. */
      402: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'subscription_required';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `insufficient_scope`: the application does not hold the scope; `requiredScope` names it.
       *
       *     `user_agent_mismatch`: the User-Agent is not the application_id.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'insufficient_scope' | 'user_agent_mismatch';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `not_found`: the project has no such resource, or it is not active. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'not_found';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `method_not_allowed`: the path does not support the method; `Allow` lists those it supports. */
      405: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          Allow: components['headers']['Allow'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'method_not_allowed';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `project_suspended`: the project is suspended. */
      423: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'project_suspended';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `rate_limited`: a limit is reached; try again after `Retry-After` seconds. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'rate_limited';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `internal_error`: the service failed; its log has the cause under the `requestId`. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'internal_error';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `service_unavailable`: the database does not answer, on which limits and data depend; try again after `Retry-After` seconds. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'service_unavailable';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listOnlinePlayers: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The `id` of a server, from `GET /v1/servers`.
         * @example northwood-1
         */
        serverId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Players on a server, read live from its query port. */
      200: {
        headers: {
          'Cache-Control': components['headers']['Cache-Control'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "online": 37,
           *       "listedPlayers": 37,
           *       "players": [],
           *       "incompletePlayers": 37,
           *       "observedAt": "2026-11-22T08:15:26.445Z",
           *       "source": "GAMEDIG",
           *       "cached": false
           *     }
           */
          'application/json': components['schemas']['OnlinePlayers'];
        };
      };
      /** @description `invalid_parameters`: a parameter is invalid or unknown, or the body cannot be read; `details` lists the problems. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'invalid_parameters';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `token_missing`: no bearer token was sent.
       *
       *     `token_invalid`: the token is malformed, unknown or expired, or the secret was rotated.
       */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'token_missing' | 'token_invalid';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `insufficient_scope`: the application does not hold the scope; `requiredScope` names it.
       *
       *     `user_agent_mismatch`: the User-Agent is not the application_id.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'insufficient_scope' | 'user_agent_mismatch';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `not_found`: the project has no such resource, or it is not active. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'not_found';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `method_not_allowed`: the path does not support the method; `Allow` lists those it supports. */
      405: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          Allow: components['headers']['Allow'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'method_not_allowed';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `data_source_not_configured`: the server has no query port configured. */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'data_source_not_configured';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `project_suspended`: the project is suspended. */
      423: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'project_suspended';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `rate_limited`: a limit is reached; try again after `Retry-After` seconds. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'rate_limited';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `internal_error`: the service failed; its log has the cause under the `requestId`. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'internal_error';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `service_unavailable`: the database does not answer, on which limits and data depend; try again after `Retry-After` seconds.
       *
       *     `live_source_unavailable`: the game server did not answer the query.
       */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'service_unavailable' | 'live_source_unavailable';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listLeaderboards: {
    parameters: {
      query?: {
        /** @description One metric, in upper or lower case. Without it all leaderboards are returned. */
        metric?:
          | 'PLAYER_KILLS'
          | 'DEATHS'
          | 'SUICIDES'
          | 'LONGEST_HIT'
          | 'LONGEST_KILL'
          | 'ZOMBIE_KILLS'
          | 'ANIMAL_KILLS'
          | 'PLAYTIME'
          | 'LONGEST_LIFE';
        /** @description Rows of each leaderboard. At most 25 are returned, also where `limit` is greater. */
        limit?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier answer: the answer is 304 without a body while nothing has changed. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The best players by one metric or by all. */
      200: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=30
           */
          'Cache-Control': 'private, max-age=30';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "leaderboards": [
           *         {
           *           "metric": "PLAYER_KILLS",
           *           "unit": "count",
           *           "rows": [
           *             {
           *               "rank": 1,
           *               "value": 9,
           *               "valueText": "9",
           *               "player": {
           *                 "steamId64": "76561202170581330",
           *                 "battleyeGuid": "b851817f294cb9ab53ccacfa470444bb",
           *                 "cftoolsId": null,
           *                 "name": "Bandit_Joe"
           *               }
           *             },
           *             {
           *               "rank": 2,
           *               "value": 5,
           *               "valueText": "5",
           *               "player": {
           *                 "steamId64": "76561202161843052",
           *                 "battleyeGuid": "647fa99c7a262f276573f864d6d1d9aa",
           *                 "cftoolsId": null,
           *                 "name": "Hunter_K"
           *               }
           *             },
           *             {
           *               "rank": 3,
           *               "value": 4,
           *               "valueText": "4",
           *               "player": {
           *                 "steamId64": "76561202244632050",
           *                 "battleyeGuid": "63c0f5f7901ac11736050f29790b26c9",
           *                 "cftoolsId": null,
           *                 "name": "Toivo"
           *               }
           *             }
           *           ]
           *         },
           *         {
           *           "metric": "DEATHS",
           *           "unit": "count",
           *           "rows": [
           *             {
           *               "rank": 1,
           *               "value": 5,
           *               "valueText": "5",
           *               "player": {
           *                 "steamId64": null,
           *                 "battleyeGuid": null,
           *                 "cftoolsId": null,
           *                 "name": "Zvezda"
           *               }
           *             },
           *             {
           *               "rank": 1,
           *               "value": 5,
           *               "valueText": "5",
           *               "player": {
           *                 "steamId64": null,
           *                 "battleyeGuid": null,
           *                 "cftoolsId": null,
           *                 "name": "Flint"
           *               }
           *             },
           *             {
           *               "rank": 3,
           *               "value": 4,
           *               "valueText": "4",
           *               "player": {
           *                 "steamId64": "76561202180353518",
           *                 "battleyeGuid": "f0a561abf870c3f9c4feb81b82970549",
           *                 "cftoolsId": null,
           *                 "name": "[OWL] Siskin"
           *               }
           *             }
           *           ]
           *         },
           *         {
           *           "metric": "SUICIDES",
           *           "unit": "count",
           *           "rows": [
           *             {
           *               "rank": 1,
           *               "value": 2,
           *               "valueText": "2",
           *               "player": {
           *                 "steamId64": "76561202236136561",
           *                 "battleyeGuid": "f09af53b8107e08d9ff2dc458c9a8349",
           *                 "cftoolsId": null,
           *                 "name": "Pavel"
           *               }
           *             },
           *             {
           *               "rank": 2,
           *               "value": 1,
           *               "valueText": "1",
           *               "player": {
           *                 "steamId64": null,
           *                 "battleyeGuid": null,
           *                 "cftoolsId": null,
           *                 "name": "Flint"
           *               }
           *             },
           *             {
           *               "rank": 2,
           *               "value": 1,
           *               "valueText": "1",
           *               "player": {
           *                 "steamId64": "76561202180353518",
           *                 "battleyeGuid": "f0a561abf870c3f9c4feb81b82970549",
           *                 "cftoolsId": null,
           *                 "name": "[OWL] Siskin"
           *               }
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ListLeaderboardsResponse'];
        };
      };
      /** @description The answer that the caller has under this `If-None-Match` is still valid. The request counts against the limits. */
      304: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=30
           */
          'Cache-Control': 'private, max-age=30';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_parameters`: a parameter is invalid or unknown, or the body cannot be read; `details` lists the problems. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'invalid_parameters';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `token_missing`: no bearer token was sent.
       *
       *     `token_invalid`: the token is malformed, unknown or expired, or the secret was rotated.
       */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'token_missing' | 'token_invalid';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `subscription_required`: the project's plan does not include the operation; `requiredPlan` does. */
      402: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'subscription_required';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `insufficient_scope`: the application does not hold the scope; `requiredScope` names it.
       *
       *     `user_agent_mismatch`: the User-Agent is not the application_id.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'insufficient_scope' | 'user_agent_mismatch';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `method_not_allowed`: the path does not support the method; `Allow` lists those it supports. */
      405: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          Allow: components['headers']['Allow'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'method_not_allowed';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `project_suspended`: the project is suspended. */
      423: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'project_suspended';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `rate_limited`: a limit is reached; try again after `Retry-After` seconds. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'rate_limited';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `internal_error`: the service failed; its log has the cause under the `requestId`. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'internal_error';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `service_unavailable`: the database does not answer, on which limits and data depend; try again after `Retry-After` seconds. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'service_unavailable';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getPlayer: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier answer: the answer is 304 without a body while nothing has changed. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description An identifier of the player: a SteamID64 (17 digits), a BattlEye GUID (32 hex digits) or a CFTools id (24 hex digits), without a prefix.
         * @example 76561198017124053
         */
        identifier: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A player of the project with aliases and statistics. */
      200: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=30
           */
          'Cache-Control': 'private, max-age=30';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "player": {
           *         "steamId64": "76561202170581330",
           *         "battleyeGuid": "b851817f294cb9ab53ccacfa470444bb",
           *         "cftoolsId": null,
           *         "name": "Bandit_Joe",
           *         "aliases": [
           *           {
           *             "name": "Bandit_Joe",
           *             "firstSeenAt": "2021-04-30T15:05:00.000Z",
           *             "lastSeenAt": "2021-04-30T18:13:17.000Z"
           *           }
           *         ],
           *         "firstSeenAt": "2021-04-30T15:05:00.000Z",
           *         "lastSeenAt": "2021-04-30T18:13:17.000Z",
           *         "stats": {
           *           "playerKills": 9,
           *           "deaths": 2,
           *           "suicides": 0,
           *           "longestHitMeters": 75.5783,
           *           "longestKillMeters": 75.5783,
           *           "zombieKills": null,
           *           "animalKills": null,
           *           "totalPlaySeconds": 8939,
           *           "longestLifeSeconds": 5250
           *         }
           *       }
           *     }
           */
          'application/json': components['schemas']['GetPlayerResponse'];
        };
      };
      /** @description The answer that the caller has under this `If-None-Match` is still valid. The request counts against the limits. */
      304: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, max-age=30
           */
          'Cache-Control': 'private, max-age=30';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_parameters`: a parameter is invalid or unknown, or the body cannot be read; `details` lists the problems. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'invalid_parameters';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `token_missing`: no bearer token was sent.
       *
       *     `token_invalid`: the token is malformed, unknown or expired, or the secret was rotated.
       */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'token_missing' | 'token_invalid';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `insufficient_scope`: the application does not hold the scope; `requiredScope` names it.
       *
       *     `user_agent_mismatch`: the User-Agent is not the application_id.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'insufficient_scope' | 'user_agent_mismatch';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `not_found`: the project has no such resource, or it is not active. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'not_found';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `method_not_allowed`: the path does not support the method; `Allow` lists those it supports. */
      405: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          Allow: components['headers']['Allow'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'method_not_allowed';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `project_suspended`: the project is suspended. */
      423: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'project_suspended';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `rate_limited`: a limit is reached; try again after `Retry-After` seconds. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'rate_limited';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `internal_error`: the service failed; its log has the cause under the `requestId`. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'internal_error';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `service_unavailable`: the database does not answer, on which limits and data depend; try again after `Retry-After` seconds. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'service_unavailable';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listBanlists: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier answer: the answer is 304 without a body while nothing has changed. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Active ban lists of the project. */
      200: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, no-cache
           */
          'Cache-Control': 'private, no-cache';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "banlists": [
           *         {
           *           "id": "northwood-bans",
           *           "name": "Northwood bans",
           *           "description": "Everyone who broke the rules, on both servers.",
           *           "verificationStatus": "VERIFIED",
           *           "banCount": 13,
           *           "isPublic": true
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ListBanlistsResponse'];
        };
      };
      /** @description The answer that the caller has under this `If-None-Match` is still valid. The request counts against the limits. */
      304: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, no-cache
           */
          'Cache-Control': 'private, no-cache';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_parameters`: a parameter is invalid or unknown, or the body cannot be read; `details` lists the problems. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'invalid_parameters';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `token_missing`: no bearer token was sent.
       *
       *     `token_invalid`: the token is malformed, unknown or expired, or the secret was rotated.
       */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'token_missing' | 'token_invalid';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `insufficient_scope`: the application does not hold the scope; `requiredScope` names it.
       *
       *     `user_agent_mismatch`: the User-Agent is not the application_id.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'insufficient_scope' | 'user_agent_mismatch';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `method_not_allowed`: the path does not support the method; `Allow` lists those it supports. */
      405: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          Allow: components['headers']['Allow'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'method_not_allowed';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `project_suspended`: the project is suspended. */
      423: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'project_suspended';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `rate_limited`: a limit is reached; try again after `Retry-After` seconds. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'rate_limited';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `internal_error`: the service failed; its log has the cause under the `requestId`. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'internal_error';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `service_unavailable`: the database does not answer, on which limits and data depend; try again after `Retry-After` seconds. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'service_unavailable';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listBans: {
    parameters: {
      query?: {
        /** @description Bans, at most. */
        limit?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier answer: the answer is 304 without a body while nothing has changed. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The `id` of a ban list, from `GET /v1/banlists`.
         * @example northwood-bans
         */
        banListId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Active, unexpired bans of a list, newest first. */
      200: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, no-cache
           */
          'Cache-Control': 'private, no-cache';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "bans": [
           *         {
           *           "category": "TOXICITY",
           *           "reason": "Toxic in voice chat after two warnings",
           *           "startsAt": null,
           *           "expiresAt": "2028-01-01T00:00:00.000Z",
           *           "permanent": false,
           *           "player": {
           *             "steamId64": "76561202218665943",
           *             "battleyeGuid": "51f8ffc1359684e546e8bdbb0fca2736",
           *             "cftoolsId": null,
           *             "name": "Otter",
           *             "aliases": [
           *               {
           *                 "name": "Otter",
           *                 "firstSeenAt": "2021-04-30T15:01:09.000Z",
           *                 "lastSeenAt": "2021-04-30T18:13:18.000Z"
           *               }
           *             ]
           *           },
           *           "targets": [
           *             {
           *               "type": "SERVER",
           *               "serverId": "northwood-1",
           *               "name": "Northwood | Chernarus",
           *               "state": "ENFORCED"
           *             },
           *             {
           *               "type": "SERVER",
           *               "serverId": "northwood-2",
           *               "name": "Northwood | Livonia",
           *               "state": "ENFORCED"
           *             },
           *             {
           *               "type": "SERVER",
           *               "serverId": "northwood-mute",
           *               "name": "Northwood | Sakhal",
           *               "state": "ENFORCED"
           *             }
           *           ]
           *         },
           *         {
           *           "category": "EXPLOITING",
           *           "reason": "Exploiting: item duplication",
           *           "startsAt": null,
           *           "expiresAt": null,
           *           "permanent": true,
           *           "player": {
           *             "steamId64": "76561202215366982",
           *             "battleyeGuid": "4bc5122eacb27325500e4cc951243180",
           *             "cftoolsId": null,
           *             "name": "Nomad42",
           *             "aliases": [
           *               {
           *                 "name": "Nomad42",
           *                 "firstSeenAt": "2021-04-30T15:01:09.000Z",
           *                 "lastSeenAt": "2021-04-30T18:13:18.000Z"
           *               }
           *             ]
           *           },
           *           "targets": [
           *             {
           *               "type": "SERVER",
           *               "serverId": "northwood-1",
           *               "name": "Northwood | Chernarus",
           *               "state": "ENFORCED"
           *             },
           *             {
           *               "type": "SERVER",
           *               "serverId": "northwood-2",
           *               "name": "Northwood | Livonia",
           *               "state": "ENFORCED"
           *             },
           *             {
           *               "type": "SERVER",
           *               "serverId": "northwood-mute",
           *               "name": "Northwood | Sakhal",
           *               "state": "ENFORCED"
           *             }
           *           ]
           *         },
           *         {
           *           "category": "GRIEFING",
           *           "reason": "Griefing: base raid during the truce",
           *           "startsAt": null,
           *           "expiresAt": "2028-01-01T00:00:00.000Z",
           *           "permanent": false,
           *           "player": {
           *             "steamId64": "76561202170643278",
           *             "battleyeGuid": "8a6ce13e785dec7ad5cac7030e55f838",
           *             "cftoolsId": null,
           *             "name": "Ratatosk",
           *             "aliases": [
           *               {
           *                 "name": "Ratatosk",
           *                 "firstSeenAt": "2021-04-30T15:01:09.000Z",
           *                 "lastSeenAt": "2021-04-30T18:13:17.000Z"
           *               }
           *             ]
           *           },
           *           "targets": [
           *             {
           *               "type": "SERVER",
           *               "serverId": "northwood-1",
           *               "name": "Northwood | Chernarus",
           *               "state": "ENFORCED"
           *             },
           *             {
           *               "type": "SERVER",
           *               "serverId": "northwood-2",
           *               "name": "Northwood | Livonia",
           *               "state": "ENFORCED"
           *             },
           *             {
           *               "type": "SERVER",
           *               "serverId": "northwood-mute",
           *               "name": "Northwood | Sakhal",
           *               "state": "ENFORCED"
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ListBansResponse'];
        };
      };
      /** @description The answer that the caller has under this `If-None-Match` is still valid. The request counts against the limits. */
      304: {
        headers: {
          /**
           * @description For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.
           * @example private, no-cache
           */
          'Cache-Control': 'private, no-cache';
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_parameters`: a parameter is invalid or unknown, or the body cannot be read; `details` lists the problems. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'invalid_parameters';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `token_missing`: no bearer token was sent.
       *
       *     `token_invalid`: the token is malformed, unknown or expired, or the secret was rotated.
       */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'token_missing' | 'token_invalid';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `insufficient_scope`: the application does not hold the scope; `requiredScope` names it.
       *
       *     `user_agent_mismatch`: the User-Agent is not the application_id.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'insufficient_scope' | 'user_agent_mismatch';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `not_found`: the project has no such resource, or it is not active. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'not_found';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `method_not_allowed`: the path does not support the method; `Allow` lists those it supports. */
      405: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          Allow: components['headers']['Allow'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'method_not_allowed';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `project_suspended`: the project is suspended. */
      423: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'project_suspended';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `rate_limited`: a limit is reached; try again after `Retry-After` seconds. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'rate_limited';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `internal_error`: the service failed; its log has the cause under the `requestId`. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'internal_error';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `service_unavailable`: the database does not answer, on which limits and data depend; try again after `Retry-After` seconds. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Cache-Control': components['headers']['Cache-Control'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            error?: 'service_unavailable';
          };
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
}
