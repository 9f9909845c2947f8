import type { ChannelContent } from '../../config/schema/channel-jobs.ts';
import type { PostFailure } from '../../embeds/placements.ts';

/** The state of a post. `paused`: it is in a guild that is no home guild. */
export type PostStatus =
  | { state: 'waiting' | 'paused' }
  | { state: 'shown'; messageId: string }
  | { state: 'failing'; reason: PostFailure };

export interface NewPlacement {
  guildId: string;
  channelId: string;
  /** Left out: the guild's. */
  locale?: string | undefined;
  content: ChannelContent;
  /** The message whose menu created it, which may do so once; left out: created by a command. */
  askedOn?: string | undefined;
}

/** A post, alerts, a kill feed or recaps in a channel. */
export interface Placed extends Pick<NewPlacement, 'channelId'> {
  content: ChannelContent;
  /** Null: it comes from the config, and commands cannot change it. */
  id: string | null;
  /** Null for alerts, and for a kill feed or recaps that work: they have no permanent message. */
  status: PostStatus | null;
}

export type PlaceOutcome =
  | { placed: Placed }
  /** Discord refused the post, so nothing was stored. */
  | { failed: PostFailure }
  /** The guild has so many already, which is the most. */
  | { full: number };

/** The posts and alerts of guilds, from the config and from members. */
export interface Placements {
  list(guildId: string): Promise<Placed[]>;
  /** Stores a placement and shows a post at once. @throws if it cannot be stored; nothing is placed then */
  place(placement: NewPlacement): Promise<PlaceOutcome>;
  /** Removes a placement, and the message of a post; null: it does not exist. @throws where it is still there */
  remove(guildId: string, id: string): Promise<Placed | null>;
}
