import type { Identifier } from '../../api/identifiers.ts';
import type { Player, Schedule, Server } from '../../api/resources.ts';
import type { Branding } from '../../embeds/branding.ts';
import type { CardContent, Standing } from '../../embeds/card/content.ts';
import type { ChartKind } from '../../embeds/chart/axis.ts';
import type { Death } from '../../embeds/kill-feed.ts';
import type { Board, BoardRows, Period, RankChange } from '../../embeds/top.ts';
import type { MetricCode } from '../../api/metrics.ts';
import type { PlayerKills } from '../../embeds/player-kills.ts';
import type { HeatMapView } from '../../embeds/map/heat-map.ts';
import type { RecapView } from '../../embeds/recap.ts';
import type { LoggedPlayers } from '../../embeds/online.ts';
import type { DiscordConfig } from '../../config/schema/discord.ts';
import type { Language } from '../../locales/language.ts';
import type { Placements } from './placements.ts';
import type { PlayerLinks } from './player-links.ts';
import type { PlayerRights } from './player-rights.ts';
import type { Arrivals, WatchList } from './watch-list.ts';

/** Public schedules by server id, without servers whose schedules cannot be read or are not in the plan. */
export type SchedulesByServer = ReadonlyMap<string, readonly Schedule[]>;

/** Details of the latest game server query that the service's contract does not include. */
interface LiveDetails {
  /** Players in the queue; null: unknown. */
  queue: number | null;
  /** One entry per player in the query's list. Null: unknown. */
  sessions: readonly { name: string | null; seconds: number | null }[];
  /** Epoch milliseconds. */
  observedAt: number;
}

/** A player whom the store finds by name. `ref` names the player even without an identifier, as on consoles. */
export interface StoredPlayer {
  ref: string;
  player: Player;
}

/** By an identifier of the contract, or by the store's ref. */
export type PlayerKey = Identifier | { ref: string };

/** What the store knows of a player beyond the contract. */
export interface PlayerDetails extends Standing {
  /** The store's id. */
  playerId: number;
  /** In the game's own logs; null: unknown. */
  gameId: string | null;
  /** The latest ones; null: none are kept. */
  kills: PlayerKills | null;
}

/** The players of the project as the store has them. The service's contract finds players by identifier only. */
export interface StoredPlayers {
  /** Those who go by a name now, ignoring case, at most 25; or the one with this id in the game's own logs. */
  named(name: string): Promise<readonly StoredPlayer[]>;
  /** Null: there is none. The ref is not trusted. */
  get(ref: string): Promise<Player | null>;
  /** Null: there is none. */
  details(who: PlayerKey): Promise<PlayerDetails | null>;
}

export interface Picture {
  /** File name, such as `players.png`. */
  name: string;
  data: Buffer;
  /** Alternative text, at most 1024 characters. */
  alt?: string | undefined;
}

/** Draws pictures. Each answers null where there is nothing to draw, or it cannot be drawn, and never rejects. */
export interface Pictures {
  /** Players over time, or by weekday and hour. `now` in epoch milliseconds. */
  players(input: {
    servers: readonly Server[];
    range: ChartKind;
    language: Language;
    /** IANA zone of the time axis. Default: the first server's. */
    timezone?: string | undefined;
    now: number;
  }): Promise<Picture | null>;
  recap(view: RecapView, branding: Branding | null, language: Language): Promise<Picture | null>;
  /** @param look the community's colour (0xRRGGBB) and the address of its logo */
  card(
    content: CardContent,
    look: { accentColor: number | null; logoUrl: string | null },
  ): Promise<Picture | null>;
  /** @param imagePath the owner's picture of the whole map on this machine; null: there is none */
  heatMap(view: HeatMapView, imagePath: string | null, language: Language): Promise<Picture | null>;
}

export interface HeatMap extends Pick<
  HeatMapView,
  'cells' | 'leftOut' | 'terrain' | 'since' | 'delayMinutes'
> {
  imagePath: string | null;
}

export interface FeedDeath extends Death {
  /** The store's ids of all whom a message about it names. */
  players: readonly number[];
}

/** Deaths of players of the project, as they are stored. For home guilds only. */
export interface Deaths {
  /** The id of the latest death on servers of the project, 0 if there is none. */
  latest(): Promise<number>;
  /**
   * The deaths on these servers after an id, oldest first, without those that were imported or read long after they
   * happened. Nothing is left up to `through`; `isLast`: nor after it.
   */
  after(
    serverIds: readonly string[],
    id: number,
    limit: number,
  ): Promise<{ deaths: readonly FeedDeath[]; through: number; isLast: boolean }>;
}

/** Of what the bot counts leaderboards itself: periods that have begun, and weapons; both empty: there are no logs. */
export interface Offered {
  periods: readonly Period[];
  weapons: readonly string[];
}

/** Leaderboards that the bot counts itself, from what the logs of the project's servers report. */
export interface Boards {
  offered(): Promise<Offered>;
  /** At most `limit` rows of a leaderboard that the service does not have. */
  read(board: Board, limit: number): Promise<BoardRows>;
  /** How ranks on a leaderboard over all time have changed since a week ago, by `playerKey`; empty: unknown. */
  changes(metric: MetricCode): Promise<ReadonlyMap<string, RankChange>>;
}

export interface HeatQuery extends Pick<HeatMapView, 'kind' | 'period' | 'weapon'> {
  serverId: string;
  /** As the server reports it. */
  map: string | null;
  /** With the latest minutes, for who manages the guild, and nobody else may see it; else a day later. */
  isFresh: boolean;
}

/** The channels of the bot's guilds, as Discord has them, and what is placed in them. */
export interface Channels {
  /** What the bot may do in a channel; null: unknown. */
  permissionsIn(channelId: string): { permissions: bigint; isThread: boolean } | null;
  /** Whether everyone may mention a role of a guild. */
  isMentionable(guildId: string, roleId: string): boolean;
  /** Whether everyone in the guild sees a channel; false: it is unknown. */
  isForAll(channelId: string): boolean;
  /** Null: the bot does not know the channel. */
  channelName(channelId: string): string | null;
  /** Null before the bot is ready. */
  placements(): Placements | null;
}

/** What a member must be or do to have a role: one of these. A period is the running one; left out: all time. */
export type RoleRule = Omit<DiscordConfig['roles'][number], 'roleId'>;

/** Who is to have a role, as ids of members. */
export type RoleHolders = ReadonlySet<string>;

/**
 * Returns who is to have each of these roles now. Several rules with one role are several ways to it. A text says why that cannot
 * be known; then nobody gets or loses the role.
 */
export type RoleMembers = (
  roles: DiscordConfig['roles'],
) => Promise<ReadonlyMap<string, RoleHolders | string>>;

/**
 * What is known of a project beyond the contract, for its home guilds. `src/community/` answers out of the store; a bot on a
 * service elsewhere has `noCommunity`, whose answers are empty.
 */
export interface Community {
  /** False: the bot reads a service elsewhere. What needs a store is refused then. */
  readonly hasStore: boolean;
  /** The address of the public page; null: there is none. */
  pageUrl(): string | null;
  /** Details of a server's latest query, from memory; null: nothing recent. */
  live(serverId: string): LiveDetails | null;
  /** The start of the last minute in which a server answered, epoch milliseconds; null: unknown. */
  lastAnswerAt(serverId: string): Promise<number | null>;
  /** An https link to join a server; null if there is none. */
  joinUrl(serverId: string): string | null;
  /** The address that players connect to, as text to copy; null if there is a join link or the owner has not published it. */
  joinAddress(serverId: string): string | null;
  /** Schedules of several servers at once. The service's contract has one request per server. */
  schedules(serverIds: readonly string[]): Promise<SchedulesByServer>;
  /** Whether the logs of a server are followed. */
  hasLogs(serverId: string): boolean;
  /** Who is on servers according to their logs, by server id, without servers whose logs are not followed. */
  loggedPlayers(serverIds: readonly string[]): Promise<ReadonlyMap<string, LoggedPlayers>>;
  /** The ids of ban lists whose files could not be read: what is known of them may be old. */
  unreadBanlists(): Promise<ReadonlySet<string>>;
  /** Where players of the project die and kill. `off`: the project keeps no positions. Null: there is no such server. */
  heatMap(query: HeatQuery): Promise<HeatMap | 'off' | null>;
  /**
   * The last week that had ended at a moment (epoch milliseconds), in the project's time zone. Null: nothing is known of it,
   * nor of the week before.
   * @param serverIds left out: all servers of the project
   */
  weekBefore(at: number, serverIds?: readonly string[]): Promise<RecapView | null>;
  players: StoredPlayers;
  boards: Boards;
  deaths: Deaths;
  links: PlayerLinks;
  rights: PlayerRights;
  watch: WatchList;
  arrivals: Arrivals;
  roleMembers: RoleMembers;
}
