/**
 * Rights that one process of several holds at a time, by name: `shard:<n>` to be connected as this shard, `identify:…` to log
 * in. A process alone holds whatever it takes (`leasesOfOneProcess`).
 */
export interface ShardLeases {
  /**
   * True: the caller holds the name from now on. False: another process or another part of this one does, or it is not known
   * yet; to be tried again.
   */
  take(name: string): Promise<boolean>;
  /** Gives a name back, so that another process can take it at once. */
  release(name: string): Promise<void>;
  /** Whether the name is held, as far as this process knows. */
  held(name: string): boolean;
  /** Asks the store whether the name is held. @throws when it does not answer */
  confirm(name: string): Promise<boolean>;
  /**
   * Calls back when a name is no longer held, or has to be given up: the work must stop, and `release` follows. The result
   * removes the listener.
   */
  onLost(listener: (name: string) => Promise<void> | void): () => void;
}

export const shardLease = (shard: number): string => `shard:${shard}`;

export function leasesOfOneProcess(): ShardLeases {
  const names = new Set<string>();
  return {
    async take(name) {
      if (names.has(name)) return false;
      names.add(name);
      return true;
    },
    release: async (name) => void names.delete(name),
    held: (name) => names.has(name),
    confirm: async (name) => names.has(name),
    onLost: () => () => undefined,
  };
}
