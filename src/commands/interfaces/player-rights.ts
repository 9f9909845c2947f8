/** A member who manages the rights of players; for the log. Ids are Discord's. */
export interface RightsMember {
  guildId: string;
  userId: string;
}

export interface MeantPlayers {
  /** How many stored players are meant; 0: an identifier of which nothing is stored. */
  players: number;
  /** Whether a name means them, and so everybody who goes or went by it. */
  byName: boolean;
}

/** Hides, shows and forgets players, for managers of guilds. Every change is logged, without the player. */
export interface PlayerRights {
  /** Whom a text means: an identifier, or a name. Null: neither an identifier nor the name of a stored player. */
  find(text: string): Promise<MeantPlayers | null>;
  /** @returns how many stored players are hidden now */
  hide(text: string, who: RightsMember): Promise<number>;
  show(text: string, who: RightsMember): Promise<number>;
  /** False: it would delete what other communities have of the player, so only the bot's owner may. */
  mayForget(): boolean;
  /** Deletes what is stored, and keeps it out. @returns how many stored players were deleted */
  forget(text: string, who: RightsMember): Promise<number>;
  /** The hidden players: an identifier or name for `find`, and the name. */
  hidden(): Promise<readonly { id: string; name: string }[]>;
}
