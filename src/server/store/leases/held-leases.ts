import type { ClaimOptions, LeaseKind } from './leases.ts';
import { leaseMs, type HeldLease } from './lease-table.ts';

/** Work ends this long before its lease expires by the database's clock. */
const marginMs = 1_500;

interface Held {
  epoch: number;
  takenAt: number;
  /** When the work has to end unless the lease is renewed, or the work outlives the store, by the monotonic clock. */
  endsAt: number;
}

/** The leases of a claim that this process holds, as it knows. */
export class HeldLeases {
  readonly kind: LeaseKind;
  readonly #options: ClaimOptions;
  readonly #monotonic: () => number;
  readonly #held = new Map<string, Held>();
  #wanted: ReadonlySet<string> = new Set();
  /** What was given to others and is not taken back before this time. */
  readonly #givenUntil = new Map<string, number>();
  /** How often in a row a wanted lease was seen free. */
  #seenFree = new Map<string, number>();

  constructor(kind: LeaseKind, options: ClaimOptions, monotonic: () => number) {
    this.kind = kind;
    this.#options = options;
    this.#monotonic = monotonic;
  }

  get outlivesStore(): boolean {
    return this.#options.outlivesStore === true;
  }

  /** @returns what was held and is no longer wanted */
  want(names: Iterable<string>): HeldLease[] {
    this.#wanted = new Set(names);
    return this.dropUnwanted();
  }

  dropUnwanted(): HeldLease[] {
    return this.drop([...this.#held.keys()].filter((name) => !this.#wanted.has(name)));
  }

  /** What could be taken. */
  missing(): string[] {
    const at = this.#monotonic();
    return [...this.#wanted].filter(
      (name) => !this.#held.has(name) && (this.#givenUntil.get(name) ?? 0) <= at,
    );
  }

  /** What was given to others a moment ago. */
  given(): string[] {
    const at = this.#monotonic();
    return [...this.#givenUntil].flatMap(([name, until]) => (until > at ? [name] : []));
  }

  /** @param free of those that were missing @returns how often in a row each was seen free, this time included */
  sawFree(free: readonly string[]): ReadonlyMap<string, number> {
    const before = this.#seenFree;
    this.#seenFree = new Map(free.map((name) => [name, (before.get(name) ?? 0) + 1]));
    return this.#seenFree;
  }

  /** What was seen free this often in a row. */
  seenFree(times: number): string[] {
    return [...this.#seenFree].flatMap(([name, count]) => (count >= times ? [name] : []));
  }

  movable(): string[] {
    const { isMovable = () => true } = this.#options;
    return [...this.#held.keys()].filter(isMovable);
  }

  /** @param askedAt when the statement was sent */
  took({ name, epoch }: HeldLease, askedAt: number): void {
    this.#held.set(name, { epoch, takenAt: this.#monotonic(), endsAt: askedAt + leaseMs - marginMs });
    this.#seenFree.delete(name);
  }

  renewed(names: ReadonlySet<string>, askedAt: number): void {
    for (const [name, held] of this.#held) if (names.has(name)) held.endsAt = askedAt + leaseMs - marginMs;
  }

  /**
   * The store did not answer. Work that outlives it may go on for as long as after a renewal; but not if its time was up when
   * the store was asked, since then the process slept.
   */
  renewalFailed(askedAt: number): void {
    if (!this.outlivesStore) return;
    const names = [...this.#held].flatMap(([name, { endsAt }]) => (askedAt < endsAt ? [name] : []));
    this.renewed(new Set(names), askedAt);
  }

  /** Removes leases; the work of this process on them ends. */
  drop(names: readonly string[], notAgainForMs = 0): HeldLease[] {
    const dropped = this.#entries().filter(({ name }) => names.includes(name));
    for (const { name } of dropped) {
      this.#held.delete(name);
      if (notAgainForMs > 0) this.#givenUntil.set(name, this.#monotonic() + notAgainForMs);
    }
    return dropped;
  }

  /** Removes and returns the leases that could not be renewed in time. */
  dropExpired(): HeldLease[] {
    const at = this.#monotonic();
    const expired = [...this.#held].flatMap(([name, { endsAt }]) => (at < endsAt ? [] : [name]));
    return expired.length === 0 ? [] : this.drop(expired);
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

  #entries(): HeldLease[] {
    return [...this.#held].map(([name, { epoch }]) => ({ name, epoch }));
  }
}
