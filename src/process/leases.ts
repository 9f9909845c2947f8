/**
 * Work that one of several processes does at a time, by name: `poll:<n>`, `follow:<server>`, `bans:<list>`, `upkeep`, `bot`.
 * The part before the colon is its kind.
 */
export const kindOfLease = (name: string): string => name.split(':')[0] ?? name;

/** A lease in the epoch in which a process took it. Each taking counts the epoch on. */
export interface HeldLease {
  name: string;
  epoch: number;
}

export interface ClaimOptions {
  /**
   * Whether the work goes on while the store does not answer, until another process is known to have taken it over, or this
   * process has slept for longer than a lease lasts. Default false: it ends before the lease expires.
   */
  outlivesStore?: boolean;
  /**
   * Called after what this process holds has changed. The work on a lease that is gone from it has ended once the result is
   * settled. Then, or after two seconds, another process gets the lease.
   */
  onChange: (held: ReadonlyMap<string, number>) => void | Promise<void>;
}

/** Leases that this process wants. Processes that want the same ones share them evenly. */
export interface Claim {
  /** Replaces the names. Others that it holds are released. */
  want(names: Iterable<string>): void;
  /** What this process holds at this moment: name → epoch. */
  held(): ReadonlyMap<string, number>;
  /** Releases everything, so that others take it at once. */
  close(): Promise<void>;
}

export interface Leases {
  claim(options: ClaimOptions): Claim;
  close(): Promise<void>;
}

/** The leases of a process that shares its work with no other: it holds all that it wants. */
export function soleProcess(): Leases {
  return {
    claim({ onChange }) {
      let held: ReadonlyMap<string, number> = new Map();
      return {
        want(names) {
          held = new Map(Array.from(names, (name) => [name, 0]));
          void onChange(held);
        },
        held: () => held,
        close: async () => undefined,
      };
    },
    close: async () => undefined,
  };
}
