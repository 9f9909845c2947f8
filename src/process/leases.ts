/** Work that one process at a time does. `bot`, or `poll:3`: the part before the colon is its kind. */

/** The kinds of work that processes share. */
export type LeaseKind = 'poll' | 'follow' | 'bans' | 'bot' | 'upkeep';

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

export interface Claim {
  /** Replaces the names. Which of them it holds is decided for all processes together; others are released. */
  want(names: Iterable<string>): void;
  /** What this process holds at this moment: name → epoch. */
  held(): ReadonlyMap<string, number>;
  /** Releases everything, so that others take it at once. */
  close(): Promise<void>;
}

export interface Leases {
  claim(kind: LeaseKind, options: ClaimOptions): Claim;
  state(): LeaseState;
  /** Releases everything. */
  close(): Promise<void>;
}

/** For metrics and `/readyz`. */
export interface LeaseState {
  owner: string;
  held: readonly (HeldLease & { ageMs: number })[];
  /** Leases taken that another process had held or released. */
  takeovers: number;
  /** Leases that this process lost before it released them. */
  lost: number;
  failedRenewals: number;
  /** Time since the last renewal; null: none yet. */
  renewedAgoMs: number | null;
  /** What this process may hold and none does, for more than a few seconds. */
  unheld: readonly string[];
}

/** The leases of a process that shares its work with no other: it holds all that it wants. */
export function soleProcess(): Leases {
  return {
    claim(_kind, { onChange }) {
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
    state: () => ({
      owner: '',
      held: [],
      takeovers: 0,
      lost: 0,
      failedRenewals: 0,
      renewedAgoMs: null,
      unheld: [],
    }),
    close: async () => undefined,
  };
}
