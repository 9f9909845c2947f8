import type { Schedule, Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import type { Placements } from './placements.ts';

/** Public schedules by server id. A server whose schedules cannot be read, or whose plan has none, is left out. */
export type SchedulesByServer = ReadonlyMap<string, readonly Schedule[]>;

/** What the latest query of a game server said beyond the service's contract. */
export interface LiveDetails {
  /** Players who wait to get in; null when the query does not say. */
  queue: number | null;
  /** One entry a player, as the query lists them. Null: it does not say. */
  sessions: readonly { name: string | null; seconds: number | null }[];
  /** Epoch milliseconds. */
  observedAt: number;
}

/** Who of Discord is which player, by their own word. */
export interface PlayerLinks {
  /** A player's identifier in its canonical spelling; null: not linked. */
  get(userId: string): Promise<string | null>;
  set(userId: string, identifier: string): Promise<void>;
  remove(userId: string): Promise<void>;
}

export interface Picture {
  /** File name, such as `players.png`. */
  name: string;
  data: Buffer;
  /** What it shows, for who cannot see it; plain text of at most 1024 characters. */
  alt?: string | undefined;
}

/** Draws what the service's contract has no room for. */
export interface Charts {
  /** Players over time. Null when there is nothing to draw yet. `now` in epoch milliseconds. */
  players(input: {
    servers: readonly Server[];
    range: '24h' | '7d';
    language: Language;
    /** IANA zone of the time axis; left out: the first server's. */
    timezone?: string | undefined;
    now: number;
  }): Promise<Picture | null>;
}

/** What a bot has beside the service; each part may be missing (a bot that reads a service elsewhere has few). */
export interface Ports {
  /** What is known of a server right now, from memory; null when nothing fresh is. */
  live?: ((serverId: string) => LiveDetails | null) | undefined;
  /** When a server last answered, epoch milliseconds; null: not known. */
  lastAnswerAt?: ((serverId: string) => Promise<number | null>) | undefined;
  /** An https address that leads into the game on that server; null when there is none. */
  joinUrl?: ((serverId: string) => string | null) | undefined;
  /** Schedules of any number of servers at once; the service's contract has them one server at a time. */
  schedules?: ((serverIds: readonly string[]) => Promise<SchedulesByServer>) | undefined;
  /** Where players connect, as text to copy; null where a link leads there, or the owner has not made it public. */
  joinAddress?: ((serverId: string) => string | null) | undefined;
  charts?: Charts | undefined;
  links?: PlayerLinks | undefined;
  /** Null before the bot is ready. */
  placements?: (() => Placements | null) | undefined;
}
