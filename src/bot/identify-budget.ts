import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Clock } from '../process/clock.ts';
import { waitBeforeLogin, type Logins, type SessionStartLimit, type Wait } from './identify-policy.ts';
import { loggable } from './loggable.ts';
import { within } from './time-limit.ts';

export interface IdentifyBudgetOptions extends Clock {
  token: string;
  /** Keeps the history over restarts. */
  keyv: Keyv;
  log: Logger;
  /** What Discord says of the limit. May fail: then the history alone counts. */
  readLimit: () => Promise<unknown>;
  /** Default: a timer. Rejects when the signal is aborted. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** Pause between two logins of one process, as Discord requires. Default: 5 s. */
  gapMs?: number | undefined;
  /** How long a session lasts until its login counts as a good one. Default: 10 minutes. */
  lastsMs?: number | undefined;
}

/** Spreads the logins to Discord's gateway over time, and counts them over restarts. See `identify-policy.ts`. */
export interface IdentifyBudget {
  /** Asks Discord for its limit and waits until the bot may log in. The log says why it waits. Rejects when aborted. */
  turn(signal: AbortSignal): Promise<void>;
  /** Waits like `turn`, without asking Discord, and counts a login. To be called before each IDENTIFY. */
  spend(signal: AbortSignal): Promise<void>;
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
const usualLastsMs = 600_000;

export function createIdentifyBudget(options: IdentifyBudgetOptions): IdentifyBudget {
  const { keyv, log, now, monotonic, readLimit, gapMs = 5_000 } = options;
  const sleep = options.sleep ?? ((ms, signal) => delay(ms, undefined, { signal }));
  const tokenMark = createHash('sha256').update(options.token).digest('hex').slice(0, 8);
  let history: Promise<History> | undefined;
  let read: { limit: SessionStartLimit; at: number } | null = null;
  /** When the last login was, by the monotonic clock: the wall clock may be set meanwhile. */
  const startedAt = monotonic();
  let lastAt = startedAt;
  let ownLogin = false;
  let lasting: NodeJS.Timeout | undefined;

  async function load(): Promise<History> {
    try {
      const { times, cutShort } = historyOf(await keyv.get(identifiesKey), now(), tokenMark);
      const last = times.at(-1);
      if (last !== undefined) lastAt = monotonic() - (now() - last);
      return { times, cutShort };
    } catch (error) {
      log.warn({ error: loggable(error) }, "could not read the history of the bot's logins");
      return { times: [], cutShort: 0 };
    }
  }

  async function store(next: History): Promise<void> {
    history = Promise.resolve(next);
    try {
      if (!(await keyv.set(identifiesKey, { ...next, tokenMark }))) throw new Error('not written');
    } catch (error) {
      log.warn({ error: loggable(error) }, "could not store the history of the bot's logins");
    }
  }

  async function logins(): Promise<Logins> {
    const { times, cutShort } = await (history ??= load());
    const lastDay = times.filter((at) => now() - at < dayMs).length;
    return { lastDay, cutShort, sinceLastMs: monotonic() - lastAt, sinceStartMs: monotonic() - startedAt };
  }

  /** Discord's limit as far as it is known; null: it was never read, or was reset since. */
  function currentLimit(): SessionStartLimit | null {
    if (read === null) return null;
    const resetMs = read.limit.reset_after - (monotonic() - read.at);
    return resetMs > 0 ? { ...read.limit, reset_after: resetMs } : null;
  }

  async function waitFor(refresh: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let logged = ''; ;) {
      await refresh();
      signal.throwIfAborted();
      const wait = waitBeforeLogin(await logins(), currentLimit());
      if (wait === null) return;
      if (wait.reason !== logged) log.warn(waitMessage(wait));
      logged = wait.reason;
      await sleep(wait.ms, signal);
    }
  }

  async function settle(): Promise<void> {
    clearTimeout(lasting);
    const { times, cutShort } = await (history ??= load());
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
      }, signal),
    async spend(signal) {
      clearTimeout(lasting);
      await waitFor(() => Promise.resolve(), signal);
      const gap = ownLogin ? lastAt + gapMs - monotonic() : 0;
      if (gap > 0) await sleep(gap, signal);
      const { times, cutShort } = await (history ??= load());
      lastAt = monotonic();
      ownLogin = true;
      if (read !== null) read.limit.remaining -= 1;
      const recent = times.filter((at) => now() - at < dayMs);
      await store({ times: [...recent, now()], cutShort: cutShort + 1 });
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

function limitOf(answer: unknown): SessionStartLimit | null {
  const { session_start_limit: limit } = (answer ?? {}) as {
    session_start_limit?: Partial<SessionStartLimit>;
  };
  const { total = Number.NaN, remaining = Number.NaN, reset_after: reset = Number.NaN } = limit ?? {};
  if (![total, remaining, reset].every(Number.isFinite)) return null;
  return { total, remaining, reset_after: Math.min(Math.max(reset, 1_000), dayMs) };
}
