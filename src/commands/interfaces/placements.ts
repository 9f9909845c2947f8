import type { BoardMetric, PeriodKind } from '../../api/log-metrics.ts';
import type { ChartKind } from '../../embeds/chart/axis.ts';
import type { PostFailure } from '../../embeds/placements.ts';

export type PostContent =
  | {
      kind: 'status';
      servers: readonly string[];
      chart: ChartKind | 'none';
      /** Whether players are named. */
      names?: boolean;
    }
  | {
      kind: 'leaderboard';
      metric: BoardMetric;
      limit: number;
      /** Left out, or while there is no such period: over all time. */
      period?: PeriodKind | undefined;
    }
  | { kind: 'schedule'; servers: readonly string[] };

/** Alerts about players who come on. A rule that is left out sends none. */
export interface PlayerAlertRules {
  watched?: { roleId?: string | undefined } | undefined;
  banned?: { roleId?: string | undefined } | undefined;
  newPlayers?: { roleId?: string | undefined } | undefined;
}

export const hasPlayerRules = ({ watched, banned, newPlayers }: PlayerAlertRules): boolean =>
  (watched ?? banned ?? newPlayers) !== undefined;

/** Whether alerts say what only moderators should know of players. */
export const isForModerators = ({ watched, banned }: PlayerAlertRules): boolean =>
  (watched ?? banned) !== undefined;

/** The alerts of a channel about servers. A rule that is left out sends no alerts. */
export interface AlertRules {
  down?: { afterMinutes: number; roleId?: string | undefined } | undefined;
  players?: { atLeast: number; cooldownMinutes: number; roleId?: string | undefined } | undefined;
  restart?: { minutesBefore: number; roleId?: string | undefined } | undefined;
}

export const hasServerRules = ({ down, players, restart }: AlertRules): boolean =>
  (down ?? players ?? restart) !== undefined;

export type { PostFailure };

/** The state of a post. `paused`: it is in a guild that is no home guild. */
export type PostStatus =
  | { state: 'waiting' | 'paused' }
  | { state: 'shown'; messageId: string }
  | { state: 'failing'; reason: PostFailure };

/** Deaths that a kill feed posts besides kills by players. */
export const shownDeaths = ['suicides', 'animals', 'infected', 'vehicles', 'falls', 'others'] as const;

export type ShownDeaths = (typeof shownDeaths)[number];

export interface FeedContent {
  kind: 'feed';
  servers: readonly string[];
  show: readonly ShownDeaths[];
  /** Deaths are posted so long after they were stored. */
  delaySeconds: number;
  /** Shows where the victim died. */
  positions: boolean;
  /** Older deaths are only counted. */
  maxAgeMinutes: number;
}

export interface AlertsContent {
  kind: 'alerts';
  servers: readonly string[];
  rules: AlertRules & PlayerAlertRules;
}

/** Weekly recaps. No servers: all of the project. */
interface RecapContent {
  kind: 'recap';
  servers: readonly string[];
}

/** The content of a placement: a post, alerts, a kill feed or recaps. */
export type PlacedContent = PostContent | FeedContent | AlertsContent | RecapContent;

/** What is to be placed in a channel. */
export interface NewPlacement {
  guildId: string;
  channelId: string;
  /** Left out: the guild's. */
  locale?: string | undefined;
  content: PlacedContent;
  /** The message whose menu created it, which may do so once; left out: created by a command. */
  askedOn?: string | undefined;
}

/** A post, alerts, a kill feed or recaps in a channel. */
export interface Placed extends Pick<NewPlacement, 'channelId'> {
  content: PlacedContent;
  /** Null: it comes from the config, and commands cannot change it. */
  id: string | null;
  /** Null for alerts, and for a kill feed or recaps that work: they have no permanent message. */
  status: PostStatus | null;
}

export type PlaceOutcome =
  | { placed: Placed }
  /** Discord refused the post, so nothing was stored. */
  | { failed: PostFailure }
  | { full: number };

/** The posts and alerts of guilds, from the config and from members. */
export interface Placements {
  list(guildId: string): Promise<Placed[]>;
  /** Stores a placement and shows a post at once. @throws if it cannot be stored; nothing is placed then */
  place(placement: NewPlacement): Promise<PlaceOutcome>;
  /** Removes a placement, and the message of a post; null: it does not exist. @throws where it is still there */
  remove(guildId: string, id: string): Promise<Placed | null>;
}
