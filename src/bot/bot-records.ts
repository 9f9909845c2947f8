/** A message that everyone in its channel sees, and that names players. */
export interface NamingMessage {
  channelId: string;
  messageId: string;
  /** The store's ids of all whom it names. */
  players: readonly number[];
  /** Moderators see hidden players, too. */
  forModerators: boolean;
}

/** The messages of the bot that name players, so that they can be deleted once one of them is hidden or forgotten. */
export interface MessageLedger {
  /** @returns `outdated`: a player in it was hidden or forgotten meanwhile */
  add(message: NamingMessage): Promise<'current' | 'outdated'>;
  /**
   * Some of the messages that name a player who is hidden or forgotten, the newest first.
   * @param before the id of a message; null: the newest ones
   */
  outdated(before: string | null): Promise<readonly Pick<NamingMessage, 'channelId' | 'messageId'>[]>;
  /** A message is deleted. */
  remove(messageId: string): Promise<void>;
}

/** What the bot knows of a member and a role. */
export interface RoleRecord {
  roleId: string;
  memberId: string;
  /**
   * `giving`: the bot is about to give it, and may have. `given`: the bot gave it, so it may take it. `skipped`: the member has
   * it from somebody else, or is not in the guild, so the bot leaves both alone.
   */
  state: 'giving' | 'given' | 'skipped';
  /** When the bot last found that out, epoch milliseconds. */
  at: number;
}

/** What the bot remembers of the roles of members, by guild. */
export interface RoleRecords {
  of(guildId: string): Promise<readonly RoleRecord[]>;
  /** Remembers these instead of what was known of the same members and roles. */
  set(guildId: string, records: readonly RoleRecord[]): Promise<void>;
  remove(guildId: string, records: readonly Pick<RoleRecord, 'roleId' | 'memberId'>[]): Promise<void>;
  /** Forgets all of a guild. */
  forget(guildId: string): Promise<void>;
}

/** What the bot remembers of its messages and of roles (`community/bot-records.ts` stores it). */
export interface BotRecords {
  ledger: MessageLedger;
  roleRecords: RoleRecords;
  /** Differs after every change of who is hidden or forgotten. */
  unlistedRevision(): number;
}
