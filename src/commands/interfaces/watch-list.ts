import type { Arrival } from '../../embeds/arrival.ts';
import type { WatchEntry } from '../../embeds/watch-list.ts';
import type { RightsMember } from './player-rights.ts';

export interface NewWatch {
  /** An identifier or a name. */
  text: string;
  reason: string | null;
  /** Null: until it is removed. */
  days: number | null;
}

interface AddedWatch extends Pick<WatchEntry, 'about' | 'subject'> {
  /** The servers on which such a player is now, by their logs. */
  on: readonly string[];
}

/** Whom the moderators of a project watch. Every change is logged. */
export interface WatchList {
  /** The latest first. */
  list(): Promise<readonly WatchEntry[]>;
  /** The entry about the player with an identifier, who is listed by name; null: there is none. */
  find(identifier: string): Promise<number | null>;
  /** `forgotten`: nothing of the player is stored. */
  add(watch: NewWatch, who: RightsMember): Promise<AddedWatch | 'full' | 'forgotten'>;
  /** Null: there is no such entry. */
  remove(id: number, who: RightsMember): Promise<WatchEntry | null>;
  most: number;
}

/** Somebody came on a server of the project. */
export interface StoredArrival extends Arrival {
  /** Increases with each arrival. */
  id: number;
  serverId: string;
  /** Epoch milliseconds. */
  storedAt: number;
  /** How late a provider may hand over what the log says, without anything being wrong. Milliseconds. */
  lateByMs: number;
  /** Has left again. */
  isOver: boolean;
  /** Away for a moment only, and back under another name. */
  isContinued: boolean;
  /** Was never on the server before. */
  isNew: boolean;
  /** Members see nothing of the player. */
  isHidden: boolean;
  /** The store's ids of all whom a message about it may name, beginning with the player who came on. */
  players: readonly number[];
}

/** Who comes on the servers of a project, by logs that are followed. */
export interface Arrivals {
  /** The id of the latest; 0: there is none. */
  latest(): Promise<number>;
  /**
   * Those on these servers after an id, oldest first, without the latest kills. Nothing is left up to `through`; `isLast`: nor
   * after it.
   */
  after(
    serverIds: readonly string[],
    id: number,
    limit: number,
  ): Promise<{ arrivals: readonly StoredArrival[]; through: number; isLast: boolean }>;
  /** One of them, with the latest kills; null: it is no longer kept. */
  get(id: number): Promise<StoredArrival | null>;
}
