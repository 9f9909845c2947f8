import type { APIEmbed } from 'discord.js';
import type { Attempts } from '../sent-messages.ts';

/** What a feed has posted, stored before and after each message. */
export interface FeedState {
  /** When the feed was set up, epoch milliseconds. */
  since: number;
  /** Every death up to this id is posted or skipped. */
  through: number;
  /** The message that is being sent. */
  outgoing: Outgoing | null;
}

/** A message of a feed that is about to be sent. */
export interface Outgoing extends Attempts {
  /** Left out where it names players and was read back: it is composed again. */
  embed?: APIEmbed | undefined;
  /** The ids of the deaths in it. */
  deaths: readonly number[];
  /** The revision of hidden and forgotten players with which it was composed. */
  revision: number;
  nonce: string;
  /** The feed has posted everything up to this id with it. */
  through: number;
}

/** What is stored of an outgoing message: names stay in the store of players. */
export function withoutNames({ embed, ...outgoing }: Outgoing): Outgoing {
  return outgoing.deaths.length === 0 ? { embed, ...outgoing } : outgoing;
}
