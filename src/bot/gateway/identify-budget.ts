import { setTimeout as delay } from 'node:timers/promises';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Clock } from '../../process/clock.ts';
import type { LeasesByName } from '../../process/leases-by-name.ts';
import { waitBeforeLogin, type SessionStartLimit, type Wait } from './identify-policy.ts';
import { LoginHistory } from './login-history.ts';
import { within } from '../../process/time-limit.ts';

interface IdentifyBudgetOptions extends Clock {
  token: string;
  /** Keeps the history over restarts, and for all processes. */
  keyv: Keyv;
  /** Lets one process at a time count a login, and one shard of each bucket log in. */
  leases: LeasesByName;
  /** How many shards the bot has: a start takes one login for each. */
  shardCount: () => number;
  log: Logger;
  /** Reads `GET /gateway/bot`. May fail: then the history alone counts. */
  readLimit: () => Promise<unknown>;
  /** Default: a timer. Rejects when the signal is aborted. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** Pause between two logins of a bucket of shards. Default: 5.5 s. */
  gapMs?: number | undefined;
  /** How long a session lasts until its login counts as a good one. Default: 10 minutes. */
  lastsMs?: number | undefined;
}

const dayMs = 24 * 3_600_000;
const limitWithinMs = 5_000;
/** Pause between two attempts to take a name that another shard or process holds. */
const takeEveryMs = 100;
const countLease = 'identify:count';
const bucketLease = (bucket: number): string => `identify:${bucket}`;
/** Discord requires five seconds, as it receives them. */
const usualGapMs = 5_500;
const usualLastsMs = 600_000;

/** Spreads the logins to Discord's gateway over time, and counts them over restarts. See `identify-policy.ts`. */
export class IdentifyBudget {
  readonly #options: IdentifyBudgetOptions;
  readonly #history: LoginHistory;
  readonly #gapMs: number;
  readonly #sleep: NonNullable<IdentifyBudgetOptions['sleep']>;
  /** What Discord said of the limit, and when by the monotonic clock. Logins since then are subtracted. */
  #read: { limit: SessionStartLimit; at: number } | null = null;
  /** `max_concurrency`: this many shards may log in within five seconds, each of another remainder. */
  #buckets = 1;
  #lasting: NodeJS.Timeout | undefined;

  constructor(options: IdentifyBudgetOptions) {
    this.#options = options;
    this.#history = new LoginHistory(options);
    this.#gapMs = options.gapMs ?? usualGapMs;
    this.#sleep = options.sleep ?? ((ms, signal) => delay(ms, undefined, { signal }));
  }

  /** Asks Discord for its limit and waits until the bot may log in. The log says why it waits. Rejects when aborted. */
  async turn(signal: AbortSignal): Promise<void> {
    await this.#whenAllowed(
      signal,
      async () => undefined,
      () => this.#readLimit(),
    );
  }

  /** Waits like `turn`, without asking Discord, and counts a login. To be called before each IDENTIFY. @param shard default 0 */
  async spend(signal: AbortSignal, shard = 0): Promise<void> {
    clearTimeout(this.#lasting);
    const bucket = bucketLease(shard % this.#buckets);
    await this.#take(bucket, signal);
    let heldMs = 0;
    try {
      await this.#keepDistance(signal);
      await this.#whenAllowed(signal, async () => {
        if (this.#read !== null) this.#read.limit.remaining -= 1;
        await this.#history.add();
      });
      heldMs = this.#gapMs;
    } finally {
      // Held for the gap, by this machine's clock: no other shard of the bucket logs in meanwhile, in no process.
      const release = () => void this.#options.leases.release(bucket).catch(() => undefined);
      if (heldMs === 0) release();
      else setTimeout(release, heldMs).unref();
    }
  }

  /** A session has started. If it lasts, the logins so far were good ones. */
  sessionStarted(): void {
    clearTimeout(this.#lasting);
    const { lastsMs = usualLastsMs } = this.#options;
    this.#lasting = setTimeout(() => void this.settle(), lastsMs).unref();
  }

  /** The logins so far were good ones: the process stops on request. */
  async settle(): Promise<void> {
    clearTimeout(this.#lasting);
    await this.#history.settle();
  }

  /** @param work done once the bot may log in, while no other process counts a login  @param refresh done before each check */
  async #whenAllowed(
    signal: AbortSignal,
    work: () => Promise<void>,
    refresh: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    for (let logged = ''; ;) {
      await refresh();
      signal.throwIfAborted();
      await this.#take(countLease, signal);
      let wait: Wait | null;
      try {
        wait = await this.#wait();
        if (wait === null) return await work();
      } finally {
        await this.#options.leases.release(countLease);
      }
      if (wait.reason !== logged) this.#options.log.warn(waitMessage(wait));
      logged = wait.reason;
      await this.#sleep(wait.ms, signal);
    }
  }

  /** A process that has ended since its last login no longer holds its bucket for the gap. */
  async #keepDistance(signal: AbortSignal): Promise<void> {
    const { sinceLastMs, isLastOwn } = await this.#history.read();
    if (!isLastOwn && sinceLastMs < this.#gapMs) await this.#sleep(this.#gapMs - sinceLastMs, signal);
  }

  async #wait(): Promise<Wait | null> {
    const shards = this.#options.shardCount();
    return waitBeforeLogin({ ...(await this.#history.read()), shards }, this.#currentLimit());
  }

  /** Null: Discord's limit was never read, or was reset since. */
  #currentLimit(): SessionStartLimit | null {
    if (this.#read === null) return null;
    const { limit, at } = this.#read;
    const resetMs = limit.reset_after - (this.#options.monotonic() - at);
    return resetMs > 0 ? { ...limit, reset_after: resetMs } : null;
  }

  async #readLimit(): Promise<void> {
    const answer = await within(
      this.#options.readLimit().catch(() => null),
      limitWithinMs,
    );
    const { session_start_limit: said } = Object(answer) as { session_start_limit?: unknown };
    const limit = limitOf(said);
    if (limit !== null) this.#read = { limit, at: this.#options.monotonic() };
    this.#buckets = bucketsOf(said);
  }

  /** Takes a name, however long another shard or process holds it. Rejects when aborted. */
  async #take(name: string, signal: AbortSignal): Promise<void> {
    while (!(await this.#options.leases.take(name))) await delay(takeEveryMs, undefined, { signal });
  }
}

function waitMessage({ ms, reason }: Wait): string {
  const time = ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} min`;
  return (
    `the bot waits ${time} before it logs in to Discord: ${reason}. Discord resets the token of a bot that logs in too ` +
    'often. The service keeps running. After a crash, find its cause in the log; to log in at once after that, stop and ' +
    'start Outpost'
  );
}

function limitOf(said: unknown): SessionStartLimit | null {
  const { total, remaining, reset_after: resetMs } = Object(said) as Partial<SessionStartLimit>;
  if (!isFiniteNumber(total) || !isFiniteNumber(remaining) || !isFiniteNumber(resetMs)) return null;
  return { total, remaining, reset_after: Math.min(Math.max(resetMs, 1_000), dayMs) };
}

function bucketsOf(said: unknown): number {
  const { max_concurrency: most } = Object(said) as { max_concurrency?: unknown };
  return isFiniteNumber(most) && most >= 1 ? Math.floor(most) : 1;
}

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);
