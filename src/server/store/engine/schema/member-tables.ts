import { flag, integer, json, moment, orNull, table, text } from './columns.ts';

/** Which members of Discord are which players, and which roles the bot has given them. Ids of members and guilds are Discord's. */
export const memberTables = {
  /** One member, one player of the project, and the other way round. */
  player_link: table(
    {
      project_id: text('REFERENCES project'),
      member_id: text(),
      player_id: integer('REFERENCES player ON DELETE CASCADE'),
      /** 0: the member only says so. */
      proven: flag(),
      linked_at: moment(),
    },
    { key: ['project_id', 'member_id'], uniqueIndexes: { player_link_by_player: '(player_id)' } },
  ),

  /** The gestures that a member shall make in the game to prove a link. */
  link_challenge: table(
    {
      project_id: text('REFERENCES project'),
      member_id: text(),
      /** Where the member drew them. */
      guild_id: text(),
      /** An array of the game's names, in order. NULL: it is over. */
      gestures: orNull(json()),
      /** When the member drew them, which decides when the member may draw again. */
      started_at: moment(),
      /** Gestures that are made later do not count. Those made before may be read later. */
      ends_at: moment(),
      /** How often the member has drawn gestures, with less than a day between. */
      drawn: integer(),
    },
    { key: ['project_id', 'member_id'] },
  ),

  /** How many of a challenge's gestures a player has made in order, with no other between. */
  link_progress: table(
    {
      project_id: text(),
      member_id: text(),
      player_id: integer('REFERENCES player ON DELETE CASCADE'),
      seen: integer(),
      /** When the player made the first of them. */
      first_at: moment(),
      /** When the player made the latest gesture that changed this. */
      last_at: moment(),
    },
    {
      key: ['project_id', 'member_id', 'player_id'],
      constraint: 'FOREIGN KEY (project_id, member_id) REFERENCES link_challenge ON DELETE CASCADE',
      indexes: { link_progress_by_player: '(player_id)' },
    },
  ),

  /** A role of a member of a guild, as far as the bot has to do with it. */
  member_role: table(
    {
      guild_id: text(),
      role_id: text(),
      member_id: text(),
      state: text<'giving' | 'given' | 'skipped'>(),
      /** When the bot last found that out. */
      at: moment(),
    },
    { key: ['guild_id', 'role_id', 'member_id'] },
  ),
};
