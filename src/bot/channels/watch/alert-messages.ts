import { goneAlertEmbed } from '../../../embeds/arrival.ts';
import type { KeptMessage, MessageKind } from '../kept-messages.ts';

/** An alert about players that was posted. */
export interface AlertMessage extends KeptMessage {
  /** The store's ids of all whom it names. */
  players: readonly number[];
  /** Moderators see hidden players, too. */
  forModerators: boolean;
}

export const alertMessages: MessageKind<AlertMessage> = {
  name: 'alert about players',
  failed: 'could not remove alerts about players; the bot tries again',
  what: 'an alert names',
  goneEmbed: goneAlertEmbed,
  async isGone({ players, forModerators }, { ports: { arrivals } }) {
    return (await arrivals?.areSeen(players, { forModerators })) === false;
  },
};
