import type { LinkSteps } from '../../embeds/link.ts';
import type { RightsMember } from './player-rights.ts';

/** The player who a member is, in the project of the guild. */
export interface MemberLink {
  name: string | null;
  /** In canonical form; null: the player has none that the contract knows, as on consoles. */
  identifier: string | null;
  /** Names the player for `StoredPlayers`; null: the bot reads another service. */
  ref: string | null;
  /** False: the member only says so. */
  isProven: boolean;
  isHidden: boolean;
}

/**
 * `taken`: the player is another member's. `held`: the member is proven to be another player, which has to be undone first.
 * `unknown`: there is no such player.
 */
type LinkOutcome = 'linked' | 'taken' | 'held' | 'unknown';

/** Which members of Discord are which players. One member is one player, and the other way round. */
export interface PlayerLinks {
  /** Null: the member is not linked. */
  get(userId: string): Promise<MemberLink | null>;
  /** Whether the word of members gives all that a proof gives, but for hiding. */
  areClaimsEnough(): boolean;
  claim(userId: string, identifier: string): Promise<LinkOutcome>;
  /** @param by who undoes it, for the log @returns whether there was a link */
  remove(userId: string, by: RightsMember): Promise<boolean>;
  proofs: LinkProofs;
}

/** The gestures that a member shall make in the game, and what the logs have of them. */
export interface LinkProof extends Omit<LinkSteps, 'isOver' | 'found'> {
  /** Who has made them; `several`: two players at once; `taken`: another member's player. Null: nobody yet. */
  found: { ref: string; name: string | null } | 'several' | 'taken' | null;
}

interface LinkProofs {
  /** Whether a server of the project has logs that name gestures. */
  isOffered(): boolean;
  /** Null: the member is not about to prove anything. */
  state(userId: string): Promise<LinkProof | null>;
  /**
   * Draws gestures, in place of earlier ones. `busy`: too many members of the Discord server at once; `often`: the member
   * drew too often. `until`: epoch milliseconds.
   */
  start(who: RightsMember): Promise<'started' | { refused: 'busy' | 'often'; until: number }>;
  end(userId: string): Promise<void>;
  /** @param ref as the member was shown; it is not trusted @returns null: that player was not found, or not any more */
  confirm(userId: string, ref: string): Promise<LinkOutcome | null>;
  /** Hides or shows the member's own player. @returns false: the member has proven nothing */
  setHidden(isHidden: boolean, who: RightsMember): Promise<boolean>;
}
