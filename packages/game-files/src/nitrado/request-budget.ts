import type { Clock } from '../clock.ts';
import { type FileError, remoteError } from '../file-access.ts';

/** The log files are handed over every 10 to 20 minutes: asking more often than this shows nothing sooner. */
const shortestPollMs = 60_000;
const longestPollMs = 20 * 60_000;
const hourMs = 3_600_000;
/** Polls are planned with this part of an hour's requests. */
const pollShare = 0.5;
/** This part is left to the owner's other programs, which use the same account. */
const reserveShare = 0.1;
/** A poll that finds nothing new takes one request, one that reads a log a few. */
const requestsAPoll = 2;
/** A pause that was not announced. */
const defaultPauseMs = 60_000;

/**
 * The requests that Nitrado allows a token in an hour, shared by everything that is read with it. Nitrado states
 * the limit with each answer.
 */
export class RequestBudget {
  readonly #clock: Clock;
  readonly #sources = new Set<string>();
  #limit: number | null = null;
  #remaining: number | null = null;
  /** When the provider counts from zero again, by the monotonic clock. */
  #resetAt = 0;
  /** No request before this moment, by the monotonic clock. */
  #pausedUntil = 0;
  /** Whether the provider asked for that pause by itself, whatever is left of the hour. */
  #isAskedToWait = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a source among those that share the budget. */
  add(source: string): void {
    this.#sources.add(source);
  }

  remove(source: string): void {
    this.#sources.delete(source);
  }

  /** How often one of the sources may be polled. */
  get pollEveryMs(): number {
    const now = this.#clock.monotonic();
    const pauseMs = this.#pausedUntil - now;
    if (this.#limit === null) return Math.max(shortestPollMs, pauseMs);
    const cost = Math.max(1, this.#sources.size) * requestsAPoll;
    const even = (cost * hourMs) / Math.max(1, this.#limit * pollShare);
    const leftMs = this.#resetAt - now;
    const isKnown = this.#remaining !== null && leftMs > 0;
    // Somebody else may have spent most of this hour.
    const spendable = (this.#remaining ?? 0) - this.#reserve;
    const tight = isKnown ? (spendable < 1 ? leftMs : (cost * leftMs) / spendable) : 0;
    const spread = Math.min(Math.max(shortestPollMs, even, tight), Math.max(longestPollMs, even));
    return Math.ceil(Math.max(spread, pauseMs));
  }

  /**
   * Takes one request from the budget.
   * @throws FileError when none is left
   */
  take(): void {
    const refusal = this.refusal();
    if (refusal !== null) throw refusal;
    if (this.#remaining !== null) this.#remaining -= 1;
  }

  /** Why no request may be sent now; null: one may. */
  refusal(): FileError | null {
    const { pauseMs } = this;
    if (pauseMs > 0) return this.#isAskedToWait ? this.#askedToWait(pauseMs) : this.#spent(pauseMs);
    const leftMs = this.#resetAt - this.#clock.monotonic();
    const isSpent = this.#remaining !== null && leftMs > 0 && this.#remaining <= this.#reserve;
    return isSpent ? this.#spent(leftMs) : null;
  }

  get #reserve(): number {
    return (this.#limit ?? 0) * reserveShare;
  }

  /** Notes what an answer says of the limits. */
  note(status: number, headers: Headers): void {
    const now = this.#clock.monotonic();
    const limit = countOf(headers.get('x-ratelimit-limit'));
    const remaining = countOf(headers.get('x-ratelimit-remaining'));
    const resetMs = this.#resetMs(headers.get('x-ratelimit-reset'));
    if (limit !== null && limit > 0) this.#limit = limit;
    if (remaining !== null) {
      this.#remaining = remaining;
      this.#resetAt = now + (resetMs ?? hourMs);
    }
    if (status !== 429) return;
    const retryAfter = countOf(headers.get('retry-after'));
    const pauseMs = retryAfter === null ? (resetMs ?? defaultPauseMs) : retryAfter * 1000;
    this.#isAskedToWait = retryAfter !== null || remaining !== 0;
    this.#pausedUntil = now + Math.min(Math.max(pauseMs, 1000), hourMs);
  }

  /** How long until requests are allowed again; 0: they are now. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#clock.monotonic());
  }

  /** Given in seconds: from now, or since 1970. */
  #resetMs(value: string | null): number | null {
    const seconds = countOf(value);
    if (seconds === null) return null;
    const ms = seconds > 1_000_000_000 ? seconds * 1000 - this.#clock.now() : seconds * 1000;
    return Math.min(Math.max(ms, 0), hourMs);
  }

  #askedToWait(waitMs: number): FileError {
    const at = new Date(this.#clock.now() + waitMs).toISOString().slice(11, 19);
    return remoteError(
      `Nitrado asks to wait until ${at} UTC before the next request (HTTP 429); it goes on by itself`,
    );
  }

  #spent(waitMs: number): FileError {
    const at = new Date(this.#clock.now() + waitMs).toISOString().slice(11, 16);
    const limit = this.#limit === null ? '' : ` of ${this.#limit} an hour`;
    return remoteError(
      `Nitrado's limit of requests${limit} is spent; it goes on by itself at ${at} UTC`,
      'use a token for this program alone, or let other programs ask less often',
    );
  }
}

function countOf(value: string | null): number | null {
  return value !== null && /^\d{1,12}$/.test(value.trim()) ? Number(value) : null;
}
