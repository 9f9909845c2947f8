import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Claim, ClaimOptions, Leases } from '../../../process/leases.ts';
import { within } from '../../../process/time-limit.ts';
import type { Database } from '../engine/database.ts';
import { StoreError } from '../engine/error.ts';
import { answerMs, leaseMs, LeaseTable } from './lease-table.ts';

/*
 * The leases of a process on a store that several use.
 *
 * Once a second each process has a round: it renews what it holds (every three seconds), and compares how much it holds of
 * each claim with its share, which is the number of wanted leases divided by the number of processes that want the same ones,
 * rounded up. With less it takes free ones, with more it lets one go. So processes never agree on who holds what, and a
 * process that comes or goes changes only how many the others hold.
 *
 * To this process, a lease that it wants is
 *
 * - **not held**: another process holds it, or none does. When this process has less than its share and the lease is free, it
 *   takes it in a new epoch → held.
 * - **held**: the work on it runs here, and each transaction of the work checks the epoch. When the lease is not wanted any
 *   more, when this process has more than its share, or when it stops → ending. When a renewal finds another owner or epoch,
 *   or no renewal has succeeded for 8.5 of its 10 seconds → lost. (A claim that outlives the store is lost by an outage only
 *   if the process was suspended meanwhile.)
 * - **ending**: dropped here, and still this process's in the store, until its work has ended or two seconds have passed. Then
 *   it is released → not held.
 * - **lost**: dropped here; its work ends at once, and may store nothing that it has not committed. → not held.
 */

interface KeeperOptions {
  /** Its statements must not wait for other writers. */
  db: Database;
  log: Logger;
  /** Milliseconds of a monotonic clock that also counts while the machine is suspended. */
  monotonic: () => number;
  /** A unique name of this process. */
  owner: string;
}

const roundEveryMs = 1_000;
const renewEveryMs = 3_000;
/** A lease is lost this long before it expires by the database's clock. Within a second of that its work is ended. */
const marginMs = 1_500;
/** How long the work on a lease may take to end before the lease is released. */
const settleMs = 2_000;

/** The time distinguishes processes with the same host name and pid, which containers may have. */
export const ownerName = (roles: readonly string[]): string =>
  `${hostname()}:${process.pid} ${roles.join(',')} since ${new Date().toISOString()}`;

/** A claim, and what this process holds of it as far as it knows. */
interface KeptClaim extends ClaimOptions {
  names: ReadonlySet<string>;
  /** By which processes that want the same names find each other; empty without names. */
  digest: string;
  held: Map<string, { epoch: number; endsAt: number }>;
}

export class LeaseKeeper implements Leases {
  readonly #options: KeeperOptions;
  readonly #table: LeaseTable;
  readonly #claims = new Set<KeptClaim>();
  readonly #timer: NodeJS.Timeout;
  #round: Promise<void> | null = null;
  /** Other names are wanted than the store knows, or the last round failed. */
  #isDue = false;
  #renewedAt: number | null = null;
  /** When the last round that failed ended. */
  #failedAt = -Infinity;
  #isAway = false;
  #isClosed = false;
  #lost = 0;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#table = new LeaseTable(options.db, options.owner);
    this.#timer = setInterval(() => {
      this.#dropExpired();
      this.#start();
    }, roundEveryMs);
  }

  claim(options: ClaimOptions): Claim {
    const claim: KeptClaim = { ...options, names: new Set(), digest: '', held: new Map() };
    this.#claims.add(claim);
    return {
      want: (names) => {
        claim.names = new Set(names);
        claim.digest = digestOf(claim.names);
        this.#isDue = true;
        this.#start();
      },
      held: () => this.#heldOf(claim),
      close: async () => {
        this.#claims.delete(claim);
        claim.names = new Set();
        await this.#release(claim, [...claim.held.keys()]).catch(() => undefined);
      },
    };
  }

  /**
   * For metrics: the names of the leases that this process holds, how many it lost before it released them, and the time since the
   * last renewal; null: none yet.
   */
  state(): { held: readonly string[]; lost: number; renewedAgoMs: number | null } {
    return {
      held: Array.from(this.#claims, (claim) => [...claim.held.keys()]).flat(),
      lost: this.#lost,
      renewedAgoMs: this.#renewedAt === null ? null : this.#options.monotonic() - this.#renewedAt,
    };
  }

  /** If the store does not answer, the leases expire. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await within(Promise.resolve(this.#round), answerMs);
    await this.#table.releaseAll().catch(() => undefined);
  }

  #start(): void {
    if (this.#isClosed || this.#round !== null) return;
    const { log, monotonic } = this.#options;
    this.#round = this.#runRound()
      .then(() => {
        if (this.#isAway) log.info('leases are renewed again');
        this.#isAway = false;
      })
      .catch((error: unknown) => {
        const cause = error instanceof StoreError ? { reason: error.message } : { err: error };
        if (!this.#isAway) log.warn(cause, 'could not renew leases; trying again every second');
        this.#isAway = true;
        this.#isDue = true;
        this.#failedAt = monotonic();
      })
      .finally(() => (this.#round = null));
  }

  async #runRound(): Promise<void> {
    const claims = [...this.#claims];
    if (this.#isDue || this.#options.monotonic() - (this.#renewedAt ?? -Infinity) >= renewEveryMs) {
      this.#isDue = false;
      await this.#renew();
      await this.#table.create(claims.flatMap(({ names }) => [...names]));
      await this.#table.announce(claims.flatMap(({ digest }) => (digest === '' ? [] : [digest])));
    }
    const candidates = await this.#table.countCandidates();
    // At once, because the work on a lease may take long to end.
    const results = await Promise.allSettled(
      claims.map((claim) => this.#adjust(claim, candidates.get(claim.digest) ?? 1)),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** @param processes how many want the same leases */
  async #adjust(claim: KeptClaim, processes: number): Promise<void> {
    const unwanted = [...claim.held.keys()].filter((name) => !claim.names.has(name));
    await this.#release(claim, unwanted);
    const share = Math.ceil(claim.names.size / processes);
    const [first] = claim.held.keys();
    if (claim.held.size < share) await this.#take(claim, share - claim.held.size);
    else if (claim.held.size > share && first !== undefined) await this.#release(claim, [first]);
  }

  async #renew(): Promise<void> {
    const askedAt = this.#options.monotonic();
    const endsAt = askedAt + leaseMs - marginMs;
    const { held } = this.state();
    try {
      const renewed = held.length === 0 ? [] : await this.#table.renew(held);
      const epochs = new Map(renewed.map(({ name, epoch }) => [name, epoch]));
      const asked = new Set(held);
      for (const claim of this.#claims) {
        const gone: string[] = [];
        for (const [name, lease] of claim.held) {
          if (lease.epoch === epochs.get(name)) lease.endsAt = endsAt;
          else if (asked.has(name)) gone.push(name);
        }
        this.#lose(
          claim,
          gone,
          'another process has taken them over, or a newer Outpost has changed the store',
        );
      }
      this.#renewedAt = askedAt;
    } catch (error) {
      for (const claim of this.#claims) {
        if (claim.outlivesStore !== true) continue;
        // If its time was up when the store was asked, the process was suspended.
        for (const lease of claim.held.values()) if (askedAt < lease.endsAt) lease.endsAt = endsAt;
      }
      throw error;
    }
  }

  async #take(claim: KeptClaim, most: number): Promise<void> {
    const { owner, monotonic, log } = this.#options;
    const askedAt = monotonic();
    // After an outage, a process that went on without the store renews its leases before others take them.
    if (claim.outlivesStore === true && askedAt - this.#failedAt < leaseMs) return;
    const missing = [...claim.names].filter((name) => !claim.held.has(name));
    const taken = await this.#table.take(missing, most);
    if (taken.length === 0) return;
    for (const { name, epoch } of taken)
      claim.held.set(name, { epoch, endsAt: askedAt + leaseMs - marginMs });
    log.info({ owner, leases: taken.map(({ name }) => name) }, 'took leases');
    // During the statement the claim may have been closed, or may have got other names.
    const isOpen = !this.#isClosed && this.#claims.has(claim);
    if (isOpen) await within(this.#notify(claim), settleMs);
    else await this.#release(claim, [...claim.held.keys()]);
  }

  /** Ends the work on leases, then lets other processes take them. */
  async #release(claim: KeptClaim, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    for (const name of names) claim.held.delete(name);
    await within(this.#notify(claim), settleMs);
    await this.#table.release(names);
  }

  #dropExpired(): void {
    for (const claim of this.#claims) {
      const held = this.#heldOf(claim);
      const expired = [...claim.held.keys()].filter((name) => !held.has(name));
      this.#lose(claim, expired, 'they could not be renewed in time');
    }
  }

  #lose(claim: KeptClaim, names: readonly string[], reason: string): void {
    if (names.length === 0) return;
    this.#lost += names.length;
    for (const name of names) claim.held.delete(name);
    this.#options.log.warn({ leases: names }, `lost leases, their work ends here: ${reason}`);
    void this.#notify(claim);
  }

  /** Without those that were not renewed in time, even before they are dropped. */
  #heldOf(claim: KeptClaim): Map<string, number> {
    const at = this.#options.monotonic();
    return new Map(
      [...claim.held].flatMap(([name, { epoch, endsAt }]) => (at < endsAt ? [[name, epoch]] : [])),
    );
  }

  async #notify(claim: KeptClaim): Promise<void> {
    try {
      await claim.onChange(this.#heldOf(claim));
    } catch (error) {
      this.#options.log.error({ err: error }, 'could not apply changed leases');
    }
  }
}

const digestOf = (names: ReadonlySet<string>): string =>
  names.size === 0
    ? ''
    : createHash('sha1')
        .update([...names].toSorted().join('\n'))
        .digest('hex');
