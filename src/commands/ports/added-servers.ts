import type { AddedServer, FirstAnswer } from '../../embeds/added-servers.ts';

export type { AddedServer, FirstAnswer };

/** What a member typed, as it is. */
export type TypedServer = Pick<AddedServer, 'name' | 'host' | 'port' | 'queryPort'>;

interface WantedServer extends TypedServer {
  /** A type from `games`. */
  game: string;
  guildId: string;
  userId: string;
}

export type ServerAddition =
  /** `answer` is null: it did not answer. */
  | { added: AddedServer; answer: FirstAnswer | null }
  /** `host` is no address and no name; `game` is not offered. */
  | { invalid: 'host' | 'game' }
  /** The host has no address that members may choose, or none was found. */
  | { refused: 'privateAddress' | 'unresolved' }
  /** The project has this server, by name. */
  | { known: string }
  /** Members may add no more than this many. */
  | { full: number }
  /** Too many attempts. When the next one is allowed, epoch milliseconds. */
  | { retryAt: number };

/** The servers that members added, next to those of the config. */
export interface AddedServers {
  /** The games that members can add, by name: those whose type or name contains a text. */
  games(typed: string): readonly { type: string; name: string }[];
  /** Differs after every change of the servers that the bot shows, those of the config included. */
  revision(): number;
  /** The earliest first. */
  list(): Promise<readonly AddedServer[]>;
  /** Queries the server once and adds it. @throws if it cannot be stored; nothing is added then */
  add(wanted: WantedServer): Promise<ServerAddition>;
  /** Null: there is no such server. @throws if the change cannot be stored */
  remove(id: string, by: { userId: string; guildId: string }): Promise<AddedServer | null>;
}
