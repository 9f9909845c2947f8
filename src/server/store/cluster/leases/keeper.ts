import type { Logger } from 'pino';
import type {
  Claim,
  ClaimOptions,
  HeldLease,
  LeaseKind,
  Leases,
  LeaseState,
} from '../../../../process/leases.ts';
import { within } from '../../../../process/time-limit.ts';
import type { Database } from '../../engine/database.ts';
import { StoreError, StoreUnavailable } from '../../engine/error.ts';
import { HeldLeases, type LeaseView } from './held-leases.ts';
import { findFree, leaseMs, releaseLeases, renewLeases, takeLeases } from './lease-table.ts';
import { placeLeases } from './placement.ts';
import { ProcessView, registerProcess, unregisterProcess } from './process-table.ts';

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
/** How often this process looks for leases of its own that have expired, to end the work on them. */
const expiryEveryMs = 250;
/** A statement that takes longer counts as failed, and the next round tries again. */
const answerMs = 2_500;
/** After an outage of the store, a process that went on has as long to renew its leases as at any other time. */
const noticeMs = leaseMs;
/** How long the work on a lease may take to end before the lease is released. */
const settleMs = 2_000;
/** Share of the leases that are released at once for a new process, so that not everything moves at once. */
const givenAtOnce = 1 / 3;
/** Leases are released only once the placement has been the same for this long: a process may miss a round. */
const steadyMs = 3_000;
/** A lease that was free in two rounds may be taken by another process than the one it is placed with. */
const lateMs = 900;
/** A lease that has been free for so long is reported. */
const unheldMs = 9_000;
const lostReason = 'another process has taken them over, or a newer Outpost has changed the store';

interface Placement {
  /** The processes as they were read. */
  of: ReadonlyMap<string, readonly string[]>;
  placed: ReadonlyMap<string, string>;
  since: number;
}

/**
 * The leases of a process on a store that several use. Once a second it reads which processes are alive, and takes and gives
 * leases so that each is held where `placeLeases` says.
 */
export class LeaseKeeper implements Leases {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #monotonic: () => number;
  readonly #owner: string;
  readonly #claims = new Set<HeldLeases>();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #processes = new ProcessView();
  /** The leases that this process may hold, as text, as the store has them; null: it is not registered. */
  #registered: string | null = null;
  #registering: Promise<void> = Promise.resolve();
  /** Claims of which leases are being released for other processes. */
  readonly #giving = new Set<HeldLeases>();
  #placement: Placement | null = null;
  #renewedAt: number | null = null;
  #round: Promise<void> | null = null;
  #again = false;
  #closed = false;
  #isAway = false;
  /** When the last round that failed ended. */
  #failedAt = -Infinity;
  readonly #counts = { takeovers: 0, lost: 0, failedRenewals: 0 };

  constructor({ db, log, monotonic, owner }: KeeperOptions) {
    this.#db = db;
    this.#log = log;
    this.#monotonic = monotonic;
    this.#owner = owner;
    this.#timers = [
      setInterval(() => this.#start(), roundEveryMs),
      setInterval(() => {
        for (const claim of this.#claims)
          this.#lose(claim, claim.dropExpired(), 'they could not be renewed in time');
      }, expiryEveryMs),
    ];
  }

  claim(kind: LeaseKind, options: ClaimOptions): Claim {
    const claim = new HeldLeases(kind, options, this.#monotonic);
    this.#claims.add(claim);
    return {
      want: (names) => {
        void this.#release(claim, claim.want(names));
        this.#start();
      },
      held: () => claim.current(),
      close: async () => {
        this.#claims.delete(claim);
        await this.#release(claim, claim.want([]));
      },
    };
  }

  state(): LeaseState {
    const claims = [...this.#claims];
    return {
      owner: this.#owner,
      held: claims.flatMap((claim) => claim.all()),
      ...this.#counts,
      renewedAgoMs: this.#renewedAt === null ? null : this.#monotonic() - this.#renewedAt,
      unheld: claims.flatMap((claim) => claim.freeFor(unheldMs)),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await within(Promise.resolve(this.#round), answerMs);
    const held = [...this.#claims].flatMap((claim) => claim.all());
    await this.#attempt(
      Promise.all([unregisterProcess(this.#db, this.#owner), releaseLeases(this.#db, held)]),
    );
  }

  #start(): void {
    if (this.#closed) return;
    if (this.#round !== null) {
      this.#again = true;
      return;
    }
    this.#round = this.#runRound()
      .then(() => {
        if (this.#isAway) this.#log.info('leases are renewed again');
        this.#isAway = false;
      })
      .catch((error: unknown) => {
        this.#counts.failedRenewals += 1;
        const cause = error instanceof StoreError ? { reason: error.message } : { err: error };
        if (!this.#isAway) this.#log.warn(cause, 'could not renew leases; trying again every second');
        this.#isAway = true;
        this.#failedAt = this.#monotonic();
      })
      .finally(() => {
        this.#round = null;
        if (this.#again && !this.#isAway) setImmediate(() => this.#start());
        this.#again = false;
      });
  }

  async #runRound(): Promise<void> {
    if (this.#monotonic() - (this.#renewedAt ?? -Infinity) >= renewEveryMs) await this.#renew();
    if (this.#claims.size === 0) return;
    await this.#register();
    const views = Array.from(this.#claims, (claim) => ({ claim, view: claim.view() }));
    const free = await inTime(
      findFree(
        this.#db,
        views.flatMap(({ view }) => view.missing),
      ),
    );
    const processes = await inTime(this.#processes.read(this.#db, this.#owner));
    if (!processes.has(this.#owner)) {
      this.#registered = null;
      return;
    }
    if (processes !== this.#placement?.of)
      this.#placement = { of: processes, placed: placeLeases(processes), since: this.#monotonic() };
    for (const { claim, view } of views) await this.#share(claim, view, free, this.#placement);
  }

  async #renew(): Promise<void> {
    const askedAt = this.#monotonic();
    const held = [...this.#claims].flatMap((claim) => claim.all());
    let renewed: Set<string>;
    try {
      renewed = await inTime(renewLeases(this.#db, held));
    } catch (error) {
      for (const claim of this.#claims) claim.renewalFailed(askedAt);
      throw error;
    }
    this.#renewedAt = askedAt;
    // Leases that were taken during the statement were not part of it.
    const gone = new Set(held.flatMap(({ name }) => (renewed.has(name) ? [] : [name])));
    for (const claim of this.#claims) {
      claim.renewed(renewed, askedAt);
      const lost = claim.all().flatMap(({ name }) => (gone.has(name) ? [name] : []));
      this.#lose(claim, claim.drop(lost), lostReason);
    }
  }

  /** Stores which leases this process may hold, if that has changed. One statement after the other. */
  async #register(): Promise<void> {
    this.#registering = this.#registering
      .catch(() => undefined)
      .then(async () => {
        // The bot is not placed: it stays with the process that has it, since each move is a login.
        const shared = [...this.#claims].filter(({ kind }) => kind !== 'bot');
        const mayHold = shared.flatMap((claim) => claim.wanted()).toSorted();
        const text = mayHold.join(' ');
        if (this.#closed || text === this.#registered) return;
        await inTime(registerProcess(this.#db, this.#owner, mayHold));
        this.#registered = text;
      });
    await this.#registering;
  }

  /** Takes free leases that are placed here, and releases those that are placed elsewhere. */
  async #share(
    claim: HeldLeases,
    view: LeaseView,
    free: ReadonlySet<string>,
    placement: Placement,
  ): Promise<void> {
    const { placed, since } = placement;
    // After an outage, a process that went on without the store renews its leases first.
    if (claim.outlivesStore && this.#monotonic() - this.#failedAt < noticeMs) return;
    claim.saw(view, free);
    const own = claim.missing().filter((name) => free.has(name));
    const isHere = (name: string): boolean => placed.get(name) === this.#owner || claim.kind === 'bot';
    await this.#take(claim, [...own.filter(isHere), ...this.#leftHere(claim, placement)]);
    // The next batch waits until this one is taken: the other process may be too busy for it.
    if (this.#giving.has(claim) || claim.isGivenFree || this.#monotonic() - since < steadyMs) return;
    const elsewhere = claim.all().flatMap(({ name }) => (isHere(name) || !placed.has(name) ? [] : [name]));
    void this.#give(claim, elsewhere.slice(0, Math.ceil(elsewhere.length * givenAtOnce)));
  }

  /** Leases that other processes do not take, since they are starting or were killed, and that are placed here without them. */
  #leftHere(claim: HeldLeases, { of, placed }: Placement): string[] {
    const left = claim.leftFree(lateMs).filter((name) => (placed.get(name) ?? this.#owner) !== this.#owner);
    if (left.length === 0) return [];
    const late = new Set(left.map((name) => placed.get(name)));
    const without = placeLeases(new Map([...of].filter(([process]) => !late.has(process))));
    return left.filter((name) => without.get(name) === this.#owner);
  }

  async #give(claim: HeldLeases, names: readonly string[]): Promise<void> {
    this.#giving.add(claim);
    await this.#release(claim, claim.drop(names));
    claim.gave(names);
    this.#giving.delete(claim);
  }

  async #take(claim: HeldLeases, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const askedAt = this.#monotonic();
    const taken = await inTime(takeLeases(this.#db, this.#owner, names));
    if (taken.length === 0) return;
    for (const lease of taken) claim.took(lease, askedAt);
    this.#counts.takeovers += taken.filter(({ epoch }) => epoch > 1).length;
    this.#log.info({ owner: this.#owner, leases: taken.map(({ name }) => name) }, 'took leases');
    // During the statement the wanted leases may have changed, or the claim may have been closed.
    const isOpen = !this.#closed && this.#claims.has(claim);
    const stray = isOpen ? claim.dropUnwanted() : claim.drop(taken.map(({ name }) => name));
    if (isOpen) await within(this.#notify(claim), settleMs);
    await inTime(releaseLeases(this.#db, stray));
  }

  /** Ends the work on leases, then lets other processes take them. If that fails, the leases expire. */
  async #release(claim: HeldLeases, leases: readonly HeldLease[]): Promise<void> {
    if (leases.length === 0) return;
    await within(this.#notify(claim), settleMs);
    // Before the release, so that the other processes already know that the leases are placed with them.
    await this.#attempt(this.#register());
    await this.#attempt(releaseLeases(this.#db, leases));
  }

  #lose(claim: HeldLeases, dropped: readonly HeldLease[], reason: string): void {
    if (dropped.length === 0) return;
    this.#counts.lost += dropped.length;
    const leases = dropped.map(({ name }) => name);
    this.#log.warn({ leases }, `lost leases, their work ends here: ${reason}`);
    void this.#notify(claim);
  }

  async #notify(claim: HeldLeases): Promise<void> {
    await claim
      .notify()
      .catch((error: unknown) => this.#log.error({ err: error }, 'could not apply changed leases'));
  }

  /** Waits for a statement that may fail. */
  async #attempt(statement: Promise<unknown>): Promise<void> {
    await within(
      statement.catch(() => undefined),
      answerMs,
    );
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const result = await within(work, answerMs);
  if (result === 'late') throw new StoreUnavailable(`the store has not answered within ${answerMs} ms`);
  return result;
}
