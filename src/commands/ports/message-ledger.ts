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
