import type { Schedule, Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import type { Placements } from './placements.ts';

/** Public schedules by server id, without servers whose schedules cannot be read or are not in the plan. */
export type SchedulesByServer = ReadonlyMap<string, readonly Schedule[]>;

/** Details of the latest game server query that the service's contract does not include. */
export interface LiveDetails {
  /** Players in the queue; null: unknown. */
  queue: number | null;
  /** One entry per player in the query's list. Null: unknown. */
  sessions: readonly { name: string | null; seconds: number | null }[];
  /** Epoch milliseconds. */
  observedAt: number;
}

/** Links between Discord members and players, as claimed by the members. */
export interface PlayerLinks {
  /** The player's identifier in canonical form; null: not linked. */
  get(userId: string): Promise<string | null>;
  set(userId: string, identifier: string): Promise<void>;
  remove(userId: string): Promise<void>;
}

export interface Picture {
  /** File name, such as `players.png`. */
  name: string;
  data: Buffer;
  /** Alternative text, at most 1024 characters. */
  alt?: string | undefined;
}

/** Draws charts of data that the service's contract does not include. */
export interface Charts {
  /** Players over time; null if there is no data yet. `now` in epoch milliseconds. */
  players(input: {
    servers: readonly Server[];
    range: '24h' | '7d';
    language: Language;
    /** IANA zone of the time axis. Default: the first server's. */
    timezone?: string | undefined;
    now: number;
  }): Promise<Picture | null>;
}

/** What the bot has besides the service. Each part is optional; a bot on a remote service has few of them. */
export interface Ports {
  /** Details of a server's latest query, from memory; null: nothing recent. */
  live?: ((serverId: string) => LiveDetails | null) | undefined;
  /** When a server last answered, epoch milliseconds; null: unknown. */
  lastAnswerAt?: ((serverId: string) => Promise<number | null>) | undefined;
  /** An https link to join a server; null if there is none. */
  joinUrl?: ((serverId: string) => string | null) | undefined;
  /** Schedules of several servers at once. The service's contract has one request per server. */
  schedules?: ((serverIds: readonly string[]) => Promise<SchedulesByServer>) | undefined;
  /** The address that players connect to, as text to copy; null if there is a join link or the owner has not published it. */
  joinAddress?: ((serverId: string) => string | null) | undefined;
  charts?: Charts | undefined;
  links?: PlayerLinks | undefined;
  /** Null before the bot is ready. */
  placements?: (() => Placements | null) | undefined;
}
