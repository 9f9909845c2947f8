import type { HeldLease } from './lease-table.ts';

/** Work that only one process does at a time. The part before the colon of a lease's name. */
export type LeaseKind = 'poll' | 'follow' | 'bans' | 'shard' | 'identify' | 'upkeep';

export interface ClaimOptions {
  /** Which of them another process can do as well, so that it may be given to it. Default: all. */
  isMovable?: (name: string) => boolean;
  /**
   * Whether the work goes on while the store does not answer, until another process is known to have taken it over, or this
   * process has slept for longer than a lease lasts. Default false: it ends before the lease expires.
   */
  outlivesStore?: boolean;
  /**
   * Called after what this process holds has changed. A lease that is given away or released is given once the result
   * is settled, or after two seconds.
   */
  onChange: (held: ReadonlyMap<string, number>) => void | Promise<void>;
}

/** The leases of a kind that a process wants. */
export interface Claim {
  /** Replaces the names. What is no longer wanted is released. */
  want(names: Iterable<string>): void;
  /** What this process holds at this moment: name → epoch. */
  held(): ReadonlyMap<string, number>;
  /** Renews a lease now. False: it is not held any more, and its work ends. @throws when the store does not answer */
  confirm(name: string): Promise<boolean>;
  /** Releases everything, so that others take it at once. */
  close(): Promise<void>;
}

/** The leases of this process. */
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
  /** What this process may take and nobody holds, for more than a few seconds. */
  unheld: readonly string[];
}
