import { createHash } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Clock } from '../../process/clock.ts';
import type { Logins } from './identify-policy.ts';
import { loggable } from '../loggable.ts';

interface LoginHistoryOptions extends Clock {
  token: string;
  keyv: Keyv;
  log: Logger;
}

interface Stored {
  /** Epoch milliseconds of the last login; null: none yet. */
  lastAt: number | null;
  /** Logins since the last stop on request or long session. */
  cutShort: number;
}

/** The key of the history in Keyv. */
export const identifiesKey = 'identifies';

/** The bot's logins over restarts, of all processes. When the store fails, those of this process count. Never rejects. */
export class LoginHistory {
  readonly #options: LoginHistoryOptions;
  /** The start of a digest, from which nobody can guess the token. */
  readonly #tokenMark: string;
  #known: Stored = { lastAt: null, cutShort: 0 };
  #isStored = true;
  /** The last logins by the monotonic clock, because the wall clock may be set meanwhile. */
  #lastAt: number;
  #ownAt: number;
  #isLastOwn = true;

  constructor(options: LoginHistoryOptions) {
    this.#options = options;
    this.#tokenMark = createHash('sha256').update(options.token).digest('hex').slice(0, 8);
    this.#lastAt = options.monotonic();
    this.#ownAt = this.#lastAt;
  }

  /** See `Logins`. `isLastOwn`: the last known login is of this process, or none is known. */
  async read(): Promise<Omit<Logins, 'shards'> & { isLastOwn: boolean }> {
    await this.#load();
    const now = this.#options.monotonic();
    return {
      cutShort: this.#known.cutShort,
      sinceLastMs: now - this.#lastAt,
      sinceOwnMs: now - this.#ownAt,
      isLastOwn: this.#isLastOwn,
    };
  }

  /** Counts a login of this process. */
  async add(): Promise<void> {
    await this.#load();
    this.#ownAt = this.#options.monotonic();
    this.#lastAt = this.#ownAt;
    this.#isLastOwn = true;
    await this.#store({ lastAt: this.#options.now(), cutShort: this.#known.cutShort + 1 });
  }

  /** The logins so far were good ones. */
  async settle(): Promise<void> {
    await this.#load();
    if (this.#known.cutShort > 0) await this.#store({ ...this.#known, cutShort: 0 });
  }

  async #load(): Promise<void> {
    if (!this.#isStored) return;
    const { keyv, log, now, monotonic } = this.#options;
    try {
      const next = storedOf(await keyv.get(identifiesKey), this.#tokenMark);
      // Another process, or an earlier run, has logged in. A time ahead of the clock, which was set back since, counts as now.
      if (next.lastAt !== null && next.lastAt !== this.#known.lastAt) {
        this.#lastAt = monotonic() - Math.max(now() - next.lastAt, 0);
        this.#isLastOwn = false;
      }
      this.#known = next;
    } catch (error) {
      log.warn({ error: loggable(error) }, "could not read the history of the bot's logins");
    }
  }

  /**
   * Not fenced by a lease: a process that was suspended here overwrites the logins of some seconds. Discord's own count has
   * them.
   */
  async #store(next: Stored): Promise<void> {
    const { keyv, log } = this.#options;
    this.#known = next;
    try {
      this.#isStored = await keyv.set(identifiesKey, { ...next, tokenMark: this.#tokenMark });
      if (!this.#isStored) throw new Error('not written');
    } catch (error) {
      this.#isStored = false;
      log.warn({ error: loggable(error) }, "could not store the history of the bot's logins");
    }
  }
}

/** With another token, the owner has repaired something: earlier refusals do not count. */
function storedOf(stored: unknown, tokenMark: string): Stored {
  const { lastAt, cutShort, tokenMark: earlier = tokenMark } = (stored ?? {}) as Record<string, unknown>;
  return {
    lastAt: typeof lastAt === 'number' && Number.isFinite(lastAt) ? lastAt : null,
    cutShort: Number.isInteger(cutShort) && earlier === tokenMark ? Math.max(0, Number(cutShort)) : 0,
  };
}
