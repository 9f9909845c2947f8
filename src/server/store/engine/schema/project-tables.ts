import { flag, id, integer, json, moment, orNull, table, text, withDefault } from './columns.ts';

/** What the config says of projects, their servers and applications, and what queries of the servers found. */
export const projectTables = {
  project: table({
    id: text('PRIMARY KEY'),
    slug: text('UNIQUE'),
    name: text(),
    plan: text(),
    suspended: flag(),
    /** The support branding, as in `resources.support`. */
    support: json(),
    /** 0: it was removed from the config. */
    active: flag(),
    /** For how long deaths are kept. */
    kills_kept_ms: withDefault(integer(), 90 * 86_400_000),
    /** 1: with where they were. */
    kill_positions: withDefault(flag(), 0),
    /** 1: boards leave out whom its ban lists ban for good; see `on-boards.ts`. */
    hide_banned: withDefault(flag(), 1),
  }),

  server: table(
    {
      id: text('PRIMARY KEY'),
      project_id: text('REFERENCES project'),
      position: integer(),
      name: text(),
      game: text(),
      host: text(),
      port: integer(),
      query_port: orNull(integer()),
      timezone: text(),
      active: flag(),
      /** Where its files lie (`placeName`); NULL: on this machine. */
      files_at: orNull(text()),
    },
    { indexes: { server_by_project: '(project_id, position)' } },
  ),

  /** If it has a `file`, a messages.xml, its interval comes from there (`restart_file`). */
  schedule: table(
    {
      id: id(),
      server_id: text('REFERENCES server'),
      position: integer(),
      kind: text(),
      title: text(),
      description: orNull(text()),
      recurrence: text(),
      interval_minutes: orNull(integer()),
      time_of_day: orNull(text()),
      /** An array of `MON` … `SUN`. */
      weekdays: json(),
      timezone: text(),
      public: flag(),
      active: flag(),
      file: orNull(text()),
    },
    { indexes: { schedule_by_server: '(server_id, position)' } },
  ),

  /** A messages.xml as last read; `restart_minutes` is NULL where it restarts no server. */
  restart_file: table({ path: text(), restart_minutes: orNull(integer()) }, { key: ['path'] }),

  application: table({
    id: text('PRIMARY KEY'),
    project_id: text('REFERENCES project'),
    name: text(),
    /** SHA-256, hex. */
    secret_hash: text(),
    /** Incremented by every rotation; a token contains the generation for which it was issued. */
    generation: integer(),
    /** An array. */
    scopes: json(),
    /** NULL: the service's default. */
    requests_per_minute: orNull(integer()),
    created_at: moment(),
    rotated_at: orNull(moment()),
    revoked_at: orNull(moment()),
    /** 1: the embedded bot's or page's, created at each start. */
    embedded: flag(),
    /** To the minute; NULL: never. */
    last_used_at: orNull(moment()),
  }),

  /** The result of the last check of a server. */
  server_state: table({
    server_id: text('PRIMARY KEY REFERENCES server'),
    status: text(),
    map: orNull(text()),
    players: orNull(integer()),
    max_players: orNull(integer()),
    checked_at: moment(),
  }),

  /** The player count once a minute, for charts; `players` is NULL while the server does not answer. */
  server_sample: table(
    {
      server_id: text('REFERENCES server'),
      /** Start of the minute. */
      sampled_at: moment(),
      players: orNull(integer()),
      max_players: orNull(integer()),
    },
    { key: ['server_id', 'sampled_at'] },
  ),
};
