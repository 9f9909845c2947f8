import type { MetricCode } from '../api/metrics.ts';
import type { ChartRange } from '../embeds/chart/axis.ts';

/** What a post shows. */
export type PostContent =
  | { kind: 'status'; servers: readonly string[]; chart: ChartRange | 'none' }
  | { kind: 'leaderboard'; metric: MetricCode; limit: number }
  | { kind: 'schedule'; servers: readonly string[] };

export type PostKind = PostContent['kind'];

/** When a channel is told what. What is left out is not told. */
export interface AlertRules {
  down?: { afterMinutes: number; roleId?: string | undefined } | undefined;
  players?: { atLeast: number; cooldownMinutes: number; roleId?: string | undefined } | undefined;
  restart?: { minutesBefore: number; roleId?: string | undefined } | undefined;
}

/** Why Discord will not have a message in a channel; `other`: for no reason that lasts. */
export type PostFailure =
  'channelGone' | 'noAccess' | 'noPermission' | 'threadClosed' | 'token' | 'editedTooOften' | 'other';

/** How a post fares; `paused`: a member placed it in a guild that is no home guild any more. */
export type PostStatus =
  | { state: 'waiting' | 'paused' }
  | { state: 'shown'; messageId: string }
  | { state: 'failing'; reason: PostFailure };

/** What stands in a channel: a post, or alerts about servers. */
export type PlacedContent = PostContent | { kind: 'alerts'; servers: readonly string[]; rules: AlertRules };

/** Something that is to stand in a channel. */
export interface NewPlacement {
  guildId: string;
  channelId: string;
  /** Left out: the guild's. */
  locale?: string | undefined;
  content: PlacedContent;
  /** The message whose menu asked for it, which asks once; left out: a command did. */
  askedOn?: string | undefined;
}

/** Something that stands in a channel. */
export interface Placed extends Pick<NewPlacement, 'channelId' | 'content'> {
  /** Null: the config says so, and no command changes it. */
  id: string | null;
  /** Null: alerts that run, which have no message to keep. */
  status: PostStatus | null;
}

export type PlaceOutcome =
  | { placed: Placed }
  /** Discord would not have the post: nothing is kept. */
  | { failed: PostFailure }
  | { full: number };

/** Posts and alerts of guilds, of the config and those that members placed. */
export interface Placements {
  list(guildId: string): Promise<Placed[]>;
  /** Places it and shows a post at once. @throws when it cannot be stored; nothing is placed then */
  place(placement: NewPlacement): Promise<PlaceOutcome>;
  /** Takes away what a member placed in that guild, a post with its message; null: it is not there. @throws when that cannot be stored */
  remove(guildId: string, id: string): Promise<Placed | null>;
}
