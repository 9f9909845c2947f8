import { ServiceError } from '../../../api/client-types.ts';
import { parseIdentifier } from '../../../api/identifiers.ts';
import { goneCardEmbed } from '../../../embeds/failure.ts';
import type { KeptMessage, MessageKind } from '../kept-messages.ts';

/** A message that everyone sees, with a player's card. */
export interface CardMessage extends KeptMessage {
  /** The player, as in `Reply`. */
  cardOf: string;
}

export const cardMessages: MessageKind<CardMessage> = {
  name: 'player card',
  failed: 'could not remove player cards; the bot tries again',
  what: 'a message shows the card of',
  goneEmbed: goneCardEmbed,
  /** Whether members may not see the player any more. */
  async isGone({ cardOf }, { ports, client }) {
    if (parseIdentifier(cardOf) === null) return (await ports.players?.get(cardOf)) === null;
    try {
      await client.getPlayer({ identifier: cardOf });
      return false;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return true;
      throw error;
    }
  },
};
