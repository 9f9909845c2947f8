import type { Logger } from 'pino';
import type { Database } from '../database.ts';
import { StoreError } from '../engine/error.ts';
import { fairShare } from './fair-share.ts';
import { HeldLeases } from './held-leases.ts';
import {
  deleteOldMembers,
  memberKind,
  releaseLeases,
  renewLeases,
  takeLeases,
  viewLeases,
  type HeldLease,
  type LeaseView,
} from './lease-table.ts';
import type { Leases } from './leases.ts';
import { WorkByKind } from './work-by-kind.ts';

export interface KeeperOptions {
  /** Its statements must not wait for other writers. */
  db: Database;
  log: Logger;
  /** Milliseconds that never fall. Time in which the machine was suspended must count. */
  monotonic: () => number;
  /** The name of this process, which no other one has. */
  owner: string;
}

const roundEveryMs = 1_000;
const renewEveryMs = 3_000;
/** How soon an expired lease is noticed here, so that the work on it ends. */
const expiryEveryMs = 250;
/** A statement without an answer has failed for a keeper: the next round tries again. */
const answerMs = 2_500;
/** A holder notices by then that a store is back that was away for it and for this process. */
const noticeMs = answerMs + roundEveryMs + 500;
/** How long the work on a lease that is given away may take to end. */
const settleMs = 2_000;
/** Not taken back for this long, so that another process gets it. */
const notAgainMs = 5_000;
const unheldViews = 10;

/** Takes, renews and shares the leases of a process on a store that several use. */
export function keepLeases({ db, log, monotonic, owner }: KeeperOptions): Leases {
  const claims = new Set<HeldLeases>();
  /** Whose leases are being given away: their work ends, or the store has not released them yet. */
  const giving = new Set<HeldLeases>();
  /** By kind: how this process shows that it takes part. */
  const memberships = new Map<string, HeldLease>();
  let renewedAt: number | null = null;
  let round: Promise<void> | null = null;
  let again = false;
  let closed = false;
  let isAway = false;
  /** When the last round that failed ended. */
  let failedAt = -Infinity;
  let membersDeletedAt = -Infinity;
  const figures = { takeovers: 0, lost: 0, failedRenewals: 0 };

  const notify = async (claim: HeldLeases): Promise<void> => {
    await claim
      .notify()
      .catch((error: unknown) => log.error({ err: error }, 'could not apply changed leases'));
  };

  async function giveAway(claim: HeldLeases, given: readonly HeldLease[]): Promise<void> {
    if (given.length === 0) return;
    giving.add(claim);
    await within(notify(claim), settleMs);
    // If it fails, the leases expire.
    await within(
      releaseLeases(db, given).catch(() => undefined),
      answerMs,
    );
    giving.delete(claim);
  }

  async function renew(): Promise<void> {
    const askedAt = monotonic();
    const held = [...claims].flatMap((claim) => claim.all());
    const renewed = await inTime(renewLeases(db, [...held, ...memberships.values()])).catch(
      (error: unknown) => {
        for (const claim of claims) claim.renewalFailed(askedAt);
        throw error;
      },
    );
    renewedAt = askedAt;
    for (const [kind, { name }] of memberships) if (!renewed.has(name)) memberships.delete(kind);
    for (const claim of claims) {
      claim.renewed(renewed, askedAt);
      // Those that were taken meanwhile were not asked for.
      const asked = new Set(held.map(({ name }) => name));
      const gone = claim.all().flatMap(({ name }) => (asked.has(name) && !renewed.has(name) ? [name] : []));
      if (gone.length > 0) lose(claim, claim.drop(gone), 'another process has taken them over');
    }
  }

  async function confirm(claim: HeldLeases, name: string): Promise<boolean> {
    const asked = claim.all().find((lease) => lease.name === name);
    if (asked === undefined) return false;
    const askedAt = monotonic();
    const renewed = await inTime(renewLeases(db, [asked]));
    // It may have been lost and taken anew meanwhile.
    if (claim.all().find((lease) => lease.name === name)?.epoch !== asked.epoch) return false;
    claim.renewed(renewed, askedAt);
    if (!renewed.has(name)) lose(claim, claim.drop([name]), 'another process has taken them over');
    return claim.current().has(name);
  }

  function lose(claim: HeldLeases, dropped: readonly HeldLease[], reason: string): void {
    if (dropped.length === 0) return;
    figures.lost += dropped.length;
    log.warn({ leases: dropped.map(({ name }) => name) }, `lost leases, their work ends here: ${reason}`);
    void notify(claim);
  }

  async function take(claim: HeldLeases, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const askedAt = monotonic();
    const taken = await inTime(takeLeases(db, owner, names));
    if (taken.length === 0) return;
    for (const lease of taken) claim.took(lease, askedAt);
    figures.takeovers += taken.filter(({ epoch }) => epoch > 1).length;
    log.info({ owner, leases: taken.map(({ name }) => name) }, 'took leases');
    // What is wanted may have changed meanwhile, and the claim may be closed.
    const isOpen = !closed && claims.has(claim);
    const stray = isOpen ? claim.dropUnwanted() : claim.drop(taken.map(({ name }) => name));
    if (isOpen) await within(notify(claim), settleMs);
    await inTime(releaseLeases(db, stray));
  }

  async function join(): Promise<void> {
    const kinds = new Set([...claims].map(({ kind }) => kind));
    for (const kind of kinds) {
      if (memberships.has(kind)) continue;
      const [membership] = await inTime(takeLeases(db, owner, [`${memberKind(kind)}:${owner}`]));
      if (membership !== undefined) memberships.set(kind, membership);
    }
  }

  async function share(
    claim: HeldLeases,
    missing: readonly string[],
    view: LeaseView,
    work: WorkByKind,
  ): Promise<void> {
    // Whoever went on without the store renews first.
    if (claim.outlivesStore && monotonic() - failedAt < noticeMs) return;
    const own = new Set(missing);
    const free = claim.sawFree(view.free.filter((name) => own.has(name)));
    // Whoever asks for a login has to get it at once, and keeps it for seconds.
    if (claim.kind === 'identify') return await take(claim, [...free.keys()]);
    const members = [...(view.counts.get(memberKind(claim.kind))?.keys() ?? [])];
    const held = view.counts.get(claim.kind);
    const counts = new Map([owner, ...members].map((member) => [member, held?.get(member) ?? 0]));
    const elsewhere = (process: string): number => work.elsewhere(claim.kind, process);
    const isOnItsWay = (one: HeldLeases): boolean => {
      const isGiven = new Set(one.given());
      return giving.has(one) || view.free.some((name) => isGiven.has(name));
    };
    const isMoving = [...claims].some(isOnItsWay);
    const movable = claim.movable();
    const { take: wanted, give, expected } = fairShare({ owner, counts, elsewhere, movable, free, isMoving });
    work.expect(claim.kind, expected);
    await take(claim, wanted);
    // One batch after the other, or this process would soon have nothing.
    if (isOnItsWay(claim)) return;
    if (give.length > 0) void giveAway(claim, claim.drop(give, notAgainMs));
  }

  async function runRound(): Promise<void> {
    if (monotonic() - (renewedAt ?? -Infinity) >= renewEveryMs) await renew();
    if (claims.size === 0) return;
    await join();
    const missing = [...claims].map((claim) => [claim, claim.missing()] as const);
    const view = await inTime(
      viewLeases(
        db,
        missing.flatMap(([claim, names]) => [...names, ...claim.given()]),
      ),
    );
    const work = new WorkByKind(view.counts);
    // All processes in the same order, so that they expect the same of each other.
    for (const [claim, names] of missing.toSorted(([one], [other]) => (one.kind < other.kind ? -1 : 1))) {
      if (claims.has(claim)) await share(claim, names, view, work);
    }
    if (monotonic() - membersDeletedAt > 3_600_000) {
      membersDeletedAt = monotonic();
      await inTime(deleteOldMembers(db));
    }
  }

  function start(): void {
    if (closed) return;
    if (round !== null) {
      again = true;
      return;
    }
    round = runRound()
      .then(() => {
        if (isAway) log.info('leases are renewed again');
        isAway = false;
      })
      .catch((error: unknown) => {
        figures.failedRenewals += 1;
        const cause = error instanceof StoreError ? { reason: error.message } : { err: error };
        if (!isAway) log.warn(cause, 'could not renew leases; trying again every second');
        isAway = true;
        failedAt = monotonic();
      })
      .finally(() => {
        round = null;
        if (again && !isAway) setImmediate(start);
        again = false;
      });
  }

  const timer = setInterval(start, roundEveryMs);
  const expiry = setInterval(() => {
    for (const claim of claims) lose(claim, claim.dropExpired(), 'they could not be renewed in time');
  }, expiryEveryMs);

  return {
    claim(kind, options) {
      const claim = new HeldLeases(kind, options, monotonic);
      claims.add(claim);
      return {
        want(names) {
          void giveAway(claim, claim.want(names));
          start();
        },
        held: () => claim.current(),
        confirm: async (name) => await confirm(claim, name),
        async close() {
          claims.delete(claim);
          await giveAway(claim, claim.want([]));
        },
      };
    },
    state: () => ({
      owner,
      held: [...claims].flatMap((claim) => claim.all()),
      ...figures,
      renewedAgoMs: renewedAt === null ? null : monotonic() - renewedAt,
      unheld: [...claims].flatMap((claim) => claim.seenFree(unheldViews)),
    }),
    async close() {
      closed = true;
      clearInterval(timer);
      clearInterval(expiry);
      await within(Promise.resolve(round), answerMs);
      const held = [...claims].flatMap((claim) => claim.all());
      await within(
        releaseLeases(db, [...held, ...memberships.values()]).catch(() => undefined),
        answerMs,
      );
    },
  };
}

/** Resolves with the work, or after this time. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${answerMs} ms`)), answerMs);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
