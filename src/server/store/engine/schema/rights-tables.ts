import { flag, id, integer, table, text } from './columns.ts';

/** What players may see of a player: the values of `player.hidden`. */
export const visibility = {
  shown: 0,
  hidden: 1,
  /** Forgotten, and kept without a name because a ban needs the identifiers. */
  banned: 2,
  /** Stands for every forgotten player in deaths; one row of a project, without any data. */
  nobody: 3,
} as const;

/** Who is hidden or forgotten; see `repositories/rights/`. */
export const rightsTables = {
  /** A form of an identifier, or a name, of a forgotten player, as an HMAC; see `ForgottenList`. */
  forgotten: table({ hash: text() }, { key: ['hash'] }),

  /** A key of the hashes on the list of forgotten players; see `readKeys`. `key`: 64 hex digits. */
  forgotten_key: table({ id: id(), key: text('UNIQUE') }),

  /** The only row counts what hide, show and forget have changed. */
  rights: table({
    id: integer('PRIMARY KEY CHECK (id = 1)'),
    /** Raised by every change. */
    revision: integer(),
    /** Raised when the list of forgotten players grows. */
    list_revision: integer(),
    /** 1: deleted data may still be in unused parts of the file. */
    wipe_wanted: flag(),
  }),

  /** A player whom a message of the bot names. */
  naming_message: table(
    {
      message_id: text(),
      /** Refers to nothing: it is kept when the player is forgotten, until the message is deleted. */
      player_id: integer(),
      channel_id: text(),
      /** 1: moderators read it, who see hidden players, too. */
      for_moderators: flag(),
      /** 1: the player was hidden or forgotten since, so the message is to be deleted. */
      outdated: flag(),
    },
    {
      key: ['message_id', 'player_id'],
      indexes: {
        naming_message_by_player: '(player_id)',
        naming_message_outdated: '(message_id) WHERE outdated = 1',
      },
    },
  ),
};
