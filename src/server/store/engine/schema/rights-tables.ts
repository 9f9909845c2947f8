import type { Generated } from 'kysely';

/** What players may see of a player: the values of `player.hidden`. */
export const visibility = {
  shown: 0,
  hidden: 1,
  /** Forgotten, and kept without a name because a ban needs the identifiers. */
  banned: 2,
  /** Stands for every forgotten player in deaths; one row of a project, without any data. */
  nobody: 3,
} as const;

/** The only row counts what hide, show and forget have changed. */
export interface RightsTable {
  id: number;
  /** Raised by every change. */
  revision: number;
  /** Raised when the list of forgotten players grows. */
  list_revision: number;
  /** 1: deleted data may still be in unused parts of the file. */
  wipe_wanted: number;
}

/** A key of the hashes on the list of forgotten players; see `readKeys`. */
export interface ForgottenKeyTable {
  id: Generated<number>;
  /** 64 hex digits. */
  key: string;
}

/** A form of an identifier of a forgotten player, as an HMAC; see `ForgottenList`. */
export interface ForgottenTable {
  hash: string;
}

/** Where the name behind an entry of the list is hidden in lists of who is on. */
export interface ForgottenNameTable {
  hash: string;
  /** A server on which the player was seen; '': every server, because nobody knows where that was. */
  server_id: string;
}

/** A player whom a message of the bot names. */
export interface NamingMessageTable {
  message_id: string;
  /** Kept when the player is forgotten, until the message is deleted. */
  player_id: number;
  channel_id: string;
  /** 1: moderators read it, who see hidden players, too. */
  for_moderators: number;
  /** 1: the player was hidden or forgotten since, so the message is to be deleted. */
  outdated: number;
}

/** A role of a member of a guild, as far as the bot has to do with it. */
export interface MemberRoleTable {
  guild_id: string;
  role_id: string;
  member_id: string;
  state: 'giving' | 'given' | 'skipped';
  /** When the bot last found that out. */
  at: number;
}
