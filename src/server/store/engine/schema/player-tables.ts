import { id, integer, json, moment, orNull, table, text, withDefault } from './columns.ts';
import { figureDefinitions, leaderboardIndex } from './metric-columns.ts';

const identifiers = ['steam_id64', 'battleye_guid', 'cftools_id', 'dayz_id'];

/** Persons, and their figures over all sources. */
export const playerTables = {
  /** A person of a project. Two rows that turn out to be one person are merged. */
  player: table(
    {
      id: id(),
      project_id: text('REFERENCES project'),
      steam_id64: orNull(text()),
      battleye_guid: orNull(text()),
      cftools_id: orNull(text()),
      /** The game's own id: `id=` of an admin log (PC, Xbox, PlayStation), UID of players.db. */
      dayz_id: orNull(text()),
      /** Latest name. */
      name: orNull(text()),
      first_seen_at: orNull(moment()),
      last_seen_at: orNull(moment()),
      /** See `visibility`. */
      hidden: withDefault(integer(), 0),
    },
    {
      indexes: {
        // Players of consoles have a name and no identifier that the service knows.
        player_by_name: '(project_id, name COLLATE NOCASE) WHERE name IS NOT NULL',
        player_unlisted: '(project_id) WHERE hidden <> 0',
      },
      uniqueIndexes: {
        ...Object.fromEntries(
          identifiers.map((name) => [`player_by_${name}`, `(project_id, ${name}) WHERE ${name} IS NOT NULL`]),
        ),
        player_nobody: '(project_id) WHERE hidden = 3',
      },
    },
  ),

  /**
   * The names under which a player was seen on each server. An empty name: seen under no name, or longer than under the known
   * ones. An empty server: the source belongs to no server.
   */
  player_alias: table(
    {
      player_id: integer('REFERENCES player ON DELETE CASCADE'),
      name: text(),
      server_id: withDefault(text(), ''),
      first_seen_at: orNull(moment()),
      last_seen_at: orNull(moment()),
    },
    {
      key: ['player_id', 'name', 'server_id'],
      indexes: { player_alias_by_name: '(name COLLATE NOCASE)' },
    },
  ),

  /**
   * The metrics of a player over all sources, stored so that a leaderboard is one index scan. NULL: no source contains it.
   * Always derived from `log_run_player`, `character` and `imported_stats`.
   */
  player_stats: table(
    {
      player_id: integer('PRIMARY KEY REFERENCES player ON DELETE CASCADE'),
      project_id: text('REFERENCES project'),
      ...figureDefinitions,
    },
    { indexes: Object.fromEntries(Object.keys(figureDefinitions).map(leaderboardIndex)) },
  ),

  /** Players whose `player_stats` must be computed again. */
  stale_statistics: table({ player_id: integer('PRIMARY KEY REFERENCES player ON DELETE CASCADE') }),

  /**
   * Figures from `import players`. `entry` is the identifier under which they were imported, so that importing them again
   * replaces them, even after two players were merged.
   */
  imported_stats: table(
    {
      project_id: text('REFERENCES project'),
      entry: text(),
      player_id: integer('REFERENCES player'),
      ...figureDefinitions,
    },
    { key: ['project_id', 'entry'], indexes: { imported_stats_by_player: '(player_id)' } },
  ),

  /** The last state of a character in a server's players.db, and its totals over all its lives. */
  character: table(
    {
      server_id: text('REFERENCES server'),
      player_id: integer('REFERENCES player'),
      /** An object of the largest stats of the present life. */
      last: json(),
      /** An object of the same stats, growth summed over lives (for the longest hit, the maximum). */
      total: json(),
      /** When the last state was first read. */
      sampled_at: moment(),
    },
    { key: ['player_id', 'server_id'] },
  ),

  /** When the players.db that a server's game writes was read last. */
  players_db: table({ server_id: text('REFERENCES server'), read_at: moment() }, { key: ['server_id'] }),
};
