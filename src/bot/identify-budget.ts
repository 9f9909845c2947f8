import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Clock } from '../process/clock.ts';
import { waitBeforeLogin, type Logins, type SessionStartLimit, type Wait } from './identify-policy.ts';
import { loggable } from './loggable.ts';
import { leasesOfOneProcess, type ShardLeases } from './shards/shard-leases.ts';
import { within } from './time-limit.ts';

export interface IdentifyBudgetOptions extends Clock {
  token: string;
  /** Keeps the history over restarts, and for all processes. */
  keyv: Keyv;
  /** Lets one process at a time count a login, and one shard of each bucket log in. Default: this process is alone. */
  leases?: ShardLeases | undefined;
  /** How many shards the bot has: a start takes one login for each. Default: 1. */
  shardCount?: (() => number) | undefined;
  log: Logger;
  /** What Discord says of the limit. May fail: then the history alone counts. */
  readLimit: () => Promise<unknown>;
  /** Default: a timer. Rejects when the signal is aborted. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** Pause between two logins of a bucket of shards, as Discord requires. Default: 5 s. */
  gapMs?: number | undefined;
  /** How long a session lasts until its login counts as a good one. Default: 10 minutes. */
  lastsMs?: number | undefined;
}

/** Spreads the logins to Discord's gateway over time, and counts them over restarts. See `identify-policy.ts`. */
export interface IdentifyBudget {
  /** Asks Discord for its limit and waits until the bot may log in. The log says why it waits. Rejects when aborted. */
  turn(signal: AbortSignal): Promise<void>;
  /** Waits like `turn`, without asking Discord, and counts a login. To be called before each IDENTIFY. @param shard default 0 */
  spend(signal: AbortSignal, shard?: number): Promise<void>;
  /** A session has started. If it lasts, the logins so far were good ones. */
  opened(): void;
  /** The logins so far were good ones: the process stops on request. */
  settle(): Promise<void>;
}

interface History {
  /** Epoch milliseconds of the logins of the last 24 hours, oldest first. */
  times: readonly number[];
  cutShort: number;
  /** Which token the bot used last: the start of a digest, from which nobody can guess it. */
  tokenMark?: string;
}

/** Under which Keyv has the history. */
export const identifiesKey = 'identifies';
const dayMs = 24 * 3_600_000;
const limitWithinMs = 5_000;
/** How often a name is tried to be taken that another shard or process holds. */
const takeEveryMs = 100;
const countLease = 'identify:count';
const bucketLease = (bucket: number): string => `identify:${bucket}`;
const usualLastsMs = 600_000;

export function createIdentifyBudget(options: IdentifyBudgetOptions): IdentifyBudget {
  const { keyv, log, now, monotonic, readLimit, gapMs = 5_000, shardCount = () => 1 } = options;
  const leases = options.leases ?? leasesOfOneProcess();
  const sleep = options.sleep ?? ((ms, signal) => delay(ms, undefined, { signal }));
  const tokenMark = createHash('sha256').update(options.token).digest('hex').slice(0, 8);
  /** As last stored, or as it should have been. */
  let known: History | null = null;
  let isStored = true;
  /** The last login as stored, by whichever clock; `lastAt` is the same moment. */
  let ownLast: unknown;
  let read: { limit: SessionStartLimit; at: number } | null = null;
  /** Shards that may log in at the same time: those of different buckets. */
  let buckets = 1;
  /** When the last login was, by the monotonic clock: the wall clock may be set meanwhile. */
  const startedAt = monotonic();
  let lastAt = startedAt;
  let lasting: NodeJS.Timeout | undefined;

  async function load(): Promise<History> {
    if (known !== null && !isStored) return known;
    try {
      const stored: unknown = await keyv.get(identifiesKey);
      const { times, cutShort } = historyOf(stored, now(), tokenMark);
      const [last, storedLast] = [times.at(-1), lastOf(stored)];
      // Another process, or an earlier run, has logged in.
      if (last !== undefined && storedLast !== ownLast) lastAt = monotonic() - (now() - last);
      ownLast = storedLast;
      known = { times, cutShort };
    } catch (error) {
      log.warn({ error: loggable(error) }, "could not read the history of the bot's logins");
      known ??= { times: [], cutShort: 0 };
    }
    return known;
  }

  /**
   * Not fenced by the lease: a process that was suspended here overwrites the logins of some seconds. Discord's own count,
   * which `turn` reads, has them.
   */
  async function store(next: History): Promise<void> {
    known = next;
    ownLast = next.times.at(-1);
    try {
      isStored = await keyv.set(identifiesKey, { ...next, tokenMark });
      if (!isStored) throw new Error('not written');
    } catch (error) {
      isStored = false;
      log.warn({ error: loggable(error) }, "could not store the history of the bot's logins");
    }
  }

  async function logins(): Promise<Logins> {
    const { times, cutShort } = await load();
    const lastDay = times.filter((at) => now() - at < dayMs).length;
    const sinceLastMs = monotonic() - lastAt;
    return { lastDay, cutShort, sinceLastMs, sinceStartMs: monotonic() - startedAt, shards: shardCount() };
  }

  /** Takes a name, however long another shard or process holds it. Rejects when aborted. */
  async function taken(name: string, signal: AbortSignal): Promise<void> {
    while (!(await leases.take(name))) await delay(takeEveryMs, undefined, { signal });
  }

  /** Discord's limit as far as it is known; null: it was never read, or was reset since. */
  function currentLimit(): SessionStartLimit | null {
    if (read === null) return null;
    const resetMs = read.limit.reset_after - (monotonic() - read.at);
    return resetMs > 0 ? { ...read.limit, reset_after: resetMs } : null;
  }

  /** Waits until the bot may log in, then does `work` while no other process counts a login. */
  async function waitFor(
    refresh: () => Promise<void>,
    signal: AbortSignal,
    work: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    for (let logged = ''; ;) {
      await refresh();
      signal.throwIfAborted();
      await taken(countLease, signal);
      let wait: Wait | null;
      try {
        wait = waitBeforeLogin(await logins(), currentLimit());
        if (wait === null) return await work();
      } finally {
        await leases.release(countLease);
      }
      if (wait.reason !== logged) log.warn(waitMessage(wait));
      logged = wait.reason;
      await sleep(wait.ms, signal);
    }
  }

  async function settle(): Promise<void> {
    clearTimeout(lasting);
    const { times, cutShort } = await load();
    if (cutShort > 0) await store({ times, cutShort: 0 });
  }

  return {
    turn: (signal) =>
      waitFor(async () => {
        const answer = await within(
          readLimit().catch(() => null),
          limitWithinMs,
        );
        const limit = limitOf(answer);
        if (limit !== null) read = { limit, at: monotonic() };
        buckets = concurrencyOf(answer);
      }, signal),
    async spend(signal, shard = 0) {
      clearTimeout(lasting);
      const bucket = bucketLease(shard % buckets);
      await taken(bucket, signal);
      let waitMs = 0;
      try {
        await waitFor(
          () => Promise.resolve(),
          signal,
          async () => {
            const { times, cutShort } = await load();
            lastAt = monotonic();
            if (read !== null) read.limit.remaining -= 1;
            const recent = times.filter((at) => now() - at < dayMs);
            await store({ times: [...recent, now()], cutShort: cutShort + 1 });
          },
        );
        waitMs = gapMs;
      } finally {
        // Held for the gap, by this machine's clock: no other shard of the bucket logs in meanwhile, in no process.
        const over = () => void leases.release(bucket).catch(() => undefined);
        if (waitMs === 0) over();
        else setTimeout(over, waitMs).unref();
      }
    },
    opened() {
      clearTimeout(lasting);
      lasting = setTimeout(() => void settle(), options.lastsMs ?? usualLastsMs).unref();
    },
    settle,
  };
}

function waitMessage({ ms, reason }: Wait): string {
  const time = ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} min`;
  return (
    `the bot waits ${time} before it logs in to Discord: ${reason}. Discord resets the token of a bot that logs in too ` +
    'often. The service keeps running. After a crash, find its cause in the log; to log in at once after that, stop and ' +
    'start Outpost'
  );
}

/**
 * The stored history. A time ahead of the clock, which was set back since, counts as now. With another token, the owner has
 * repaired something: earlier refusals do not count.
 */
function historyOf(stored: unknown, now: number, tokenMark: string): History {
  const { times, cutShort, tokenMark: earlier = tokenMark } = (stored ?? {}) as Record<string, unknown>;
  return {
    times: (Array.isArray(times) ? times : []).filter(Number.isFinite).map((at) => Math.min(Number(at), now)),
    cutShort: Number.isInteger(cutShort) && earlier === tokenMark ? Math.max(0, Number(cutShort)) : 0,
  };
}

/** `max_concurrency`: Discord lets this many shards log in within five seconds, each of another remainder. */
function concurrencyOf(answer: unknown): number {
  const { session_start_limit: limit } = (answer ?? {}) as {
    session_start_limit?: { max_concurrency?: unknown };
  };
  const { max_concurrency: most } = limit ?? {};
  return Number.isInteger(most) && Number(most) > 0 ? Number(most) : 1;
}

function lastOf(stored: unknown): unknown {
  const { times } = (stored ?? {}) as { times?: unknown };
  return Array.isArray(times) ? times.at(-1) : undefined;
}

function limitOf(answer: unknown): SessionStartLimit | null {
  const { session_start_limit: limit } = (answer ?? {}) as {
    session_start_limit?: Partial<SessionStartLimit>;
  };
  const { total = Number.NaN, remaining = Number.NaN, reset_after: reset = Number.NaN } = limit ?? {};
  if (![total, remaining, reset].every(Number.isFinite)) return null;
  return { total, remaining, reset_after: Math.min(Math.max(reset, 1_000), dayMs) };
}
