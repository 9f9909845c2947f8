import type { Ban } from '../../../../api/resources.ts';
import { flag, id, integer, json, moment, orNull, table, text, withDefault } from './columns.ts';

/** Ban lists, and whom moderators watch. */
export const banTables = {
  ban_list: table({
    id: text('PRIMARY KEY'),
    project_id: text('REFERENCES project'),
    position: integer(),
    name: text(),
    description: orNull(text()),
    public: flag(),
    verification_status: text(),
    /** An array of the ids of the servers to which the list applies. */
    server_ids: json(),
    active: flag(),
    /** An object: source of bans → ids of the servers that use its file; a source without an entry applies to every server. */
    file_servers: withDefault(json(), '{}'),
  }),

  /**
   * A ban of a list. `source` says where it was read (`config:<format>:<path>`, `import:<format>:<file name>` or `cli`) and
   * `source_key` identifies the entry there, so that reading the same source again finds the same ban. Of a player's bans that
   * are not lifted, one per list is served.
   */
  ban: table(
    {
      id: id(),
      list_id: text('REFERENCES ban_list'),
      source: text(),
      source_key: text(),
      /** NULL where a source bans a bare name. */
      player_id: orNull(integer('REFERENCES player')),
      /** The player's name in the source. */
      player_name: orNull(text()),
      category: text<Ban['category']>(),
      reason: orNull(text()),
      /** NULL: the source does not contain it. */
      starts_at: orNull(moment()),
      /** NULL: permanent. */
      expires_at: orNull(moment()),
      first_seen_at: moment(),
      /** When the ban was lifted or removed from its source. */
      lifted_at: orNull(moment()),
      /** ENFORCED where a game's file contains the ban, on the servers that use the file; PENDING where none needs to. */
      state: text<'ENFORCED' | 'PENDING'>(),
      /** 0 where another ban of the player in the list is served; meaningless once lifted. */
      served: withDefault(flag(), 1),
      /** The earliest known start of the player's bans in the list; NULL: only its own `starts_at` is known. */
      since: orNull(moment()),
    },
    {
      unique: ['list_id', 'source', 'source_key'],
      indexes: {
        // The order in which bans are served: newest first, an unknown start by when the ban was first seen.
        ban_newest:
          '(list_id, coalesce(since, starts_at, first_seen_at) DESC, id DESC) WHERE lifted_at IS NULL AND served = 1',
        ban_by_player: '(player_id, list_id)',
        // Consoles ban names.
        ban_by_name: '(player_name COLLATE NOCASE) WHERE player_id IS NULL',
        // Has every column by which a list's bans are counted.
        ban_count: '(list_id, lifted_at, served, expires_at)',
      },
    },
  ),

  /** Whom the moderators of a project watch: a player, or who comes on with an identifier or a name. */
  watch_entry: table(
    {
      id: id(),
      project_id: text('REFERENCES project'),
      player_id: orNull(integer('REFERENCES player')),
      /** Of a player who was unknown when the entry was made; in its canonical form. */
      identifier: orNull(text()),
      /** As typed. */
      name: orNull(text()),
      reason: orNull(text()),
      /** NULL: until it is removed. */
      expires_at: orNull(moment()),
      added_at: moment(),
      /** The moderator's Discord id. */
      added_by: text(),
    },
    {
      indexes: {
        watch_entry_by_project: '(project_id)',
        watch_entry_by_player: '(player_id) WHERE player_id IS NOT NULL',
      },
    },
  ),
};
