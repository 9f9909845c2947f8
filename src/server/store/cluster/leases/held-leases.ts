import type { ClaimOptions, HeldLease, LeaseKind } from '../../../../process/leases.ts';
import { leaseMs } from './lease-table.ts';

/** Work ends this long before its lease expires by the database's clock. */
const marginMs = 1_500;

interface Held {
  epoch: number;
  takenAt: number;
  /** When the work has to end if the lease is not renewed by then, by the monotonic clock. */
  endsAt: number;
}

/** What a round asks the store about a claim. */
export interface LeaseView {
  /** The leases that are wanted and not held. */
  missing: readonly string[];
  /** Those of them that were released for other processes before the store is asked. */
  given: readonly string[];
}

/** The leases that a claim wants, and those that this process holds as far as it knows. */
export class HeldLeases {
  readonly kind: LeaseKind;
  readonly #options: ClaimOptions;
  readonly #monotonic: () => number;
  readonly #held = new Map<string, Held>();
  #wanted: ReadonlySet<string> = new Set();
  /** Leases released for other processes, until one of them has taken them. */
  readonly #given = new Set<string>();
  /** Since when each missing lease was free whenever the store was asked, by the monotonic clock. */
  #freeSince = new Map<string, number>();

  constructor(kind: LeaseKind, options: ClaimOptions, monotonic: () => number) {
    this.kind = kind;
    this.#options = options;
    this.#monotonic = monotonic;
  }

  get outlivesStore(): boolean {
    return this.#options.outlivesStore === true;
  }

  /** @returns the leases that were held and are no longer wanted */
  want(names: Iterable<string>): HeldLease[] {
    this.#wanted = new Set(names);
    return this.dropUnwanted();
  }

  dropUnwanted(): HeldLease[] {
    return this.drop([...this.#held.keys()].filter((name) => !this.#wanted.has(name)));
  }

  wanted(): string[] {
    return [...this.#wanted];
  }

  /** Leases that are wanted and not held. */
  missing(): string[] {
    return [...this.#wanted].filter((name) => !this.#held.has(name));
  }

  view(): LeaseView {
    const missing = this.missing();
    return { missing, given: missing.filter((name) => this.#given.has(name)) };
  }

  /** Records what the store answered. @param free the leases that no process holds */
  saw({ missing, given }: LeaseView, free: ReadonlySet<string>): void {
    const at = this.#monotonic();
    const before = this.#freeSince;
    this.#freeSince = new Map(
      missing.filter((name) => free.has(name)).map((name) => [name, before.get(name) ?? at]),
    );
    for (const name of given) if (!free.has(name)) this.#given.delete(name);
  }

  /** Whether some of the leases released for other processes are not taken yet. */
  get isGivenFree(): boolean {
    return this.#given.size > 0;
  }

  /** Records leases that were released for other processes. */
  gave(names: readonly string[]): void {
    for (const name of names) this.#given.add(name);
  }

  /** Leases that have been free for so long, without those released for other processes. */
  leftFree(ms: number): string[] {
    return this.freeFor(ms).filter((name) => !this.#given.has(name));
  }

  /** Leases that have been free for so long. */
  freeFor(ms: number): string[] {
    const at = this.#monotonic();
    return [...this.#freeSince].flatMap(([name, since]) => (at - since >= ms ? [name] : []));
  }

  /** @param askedAt when the statement was sent */
  took({ name, epoch }: HeldLease, askedAt: number): void {
    this.#held.set(name, { epoch, takenAt: this.#monotonic(), endsAt: askedAt + leaseMs - marginMs });
    this.#freeSince.delete(name);
    this.#given.delete(name);
  }

  renewed(names: ReadonlySet<string>, askedAt: number): void {
    for (const [name, held] of this.#held) if (names.has(name)) held.endsAt = askedAt + leaseMs - marginMs;
  }

  /**
   * To be called when the store did not answer. Work that may go on without the store gets as much time as after a renewal;
   * but not if its time was up when the store was asked, because then the process was suspended.
   */
  renewalFailed(askedAt: number): void {
    if (!this.outlivesStore) return;
    for (const held of this.#held.values())
      if (askedAt < held.endsAt) held.endsAt = askedAt + leaseMs - marginMs;
  }

  /** Removes leases; the work of this process on them ends. */
  drop(names: readonly string[]): HeldLease[] {
    const dropped = this.all().filter(({ name }) => names.includes(name));
    for (const { name } of dropped) this.#held.delete(name);
    return dropped;
  }

  /** Removes and returns the leases that could not be renewed in time. */
  dropExpired(): HeldLease[] {
    const at = this.#monotonic();
    return this.drop([...this.#held].flatMap(([name, { endsAt }]) => (at < endsAt ? [] : [name])));
  }

  /** Those that were not renewed in time are missing, even before they are dropped. */
  current(): Map<string, number> {
    const at = this.#monotonic();
    const held = [...this.#held].filter(([, { endsAt }]) => at < endsAt);
    return new Map(held.map(([name, { epoch }]) => [name, epoch]));
  }

  all(): (HeldLease & { ageMs: number })[] {
    const at = this.#monotonic();
    return [...this.#held].map(([name, { epoch, takenAt }]) => ({ name, epoch, ageMs: at - takenAt }));
  }

  async notify(): Promise<void> {
    await this.#options.onChange(this.current());
  }
}
