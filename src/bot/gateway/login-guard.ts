import { setTimeout as delay } from 'node:timers/promises';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import { backOffMs } from '../../process/back-off.ts';
import type { Clock } from '../../process/clock.ts';
import { freeLogins, loginRetry } from '../limits.ts';

interface LoginGuardOptions extends Pick<Clock, 'now'> {
  /** Keeps the count over restarts, and for all processes. Logs its failures; Discord's count holds without it. */
  keyv: Keyv;
  log: Logger;
  /** Asks Discord's gateway for its address: a login that cannot reach Discord does not count. */
  probe: () => Promise<unknown>;
  /** Rejects when the signal is aborted. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** See `defaultTiming`. */
  sessionLastsMs: number;
}

/** `starts`: since the last good one. `lastAt`: epoch milliseconds of the latest. */
interface Logins {
  starts: number;
  lastAt: number;
}

const key = 'logins';

/**
 * Keeps a crash loop from using up the logins (IDENTIFY) that Discord allows a bot in a day. discord.js itself logs in no more
 * once they are used up.
 */
export class LoginGuard {
  readonly #options: LoginGuardOptions;
  #lasting: NodeJS.Timeout | undefined;

  constructor(options: LoginGuardOptions) {
    this.#options = options;
  }

  /** Waits until the bot may log in, and counts that. @throws when aborted, and where Discord cannot be asked */
  async turn(signal: AbortSignal): Promise<void> {
    const { now, probe } = this.#options;
    await probe();
    const { starts, lastAt } = await this.#read();
    const crashes = starts - freeLogins + 1;
    const pauseMs = crashes <= 0 ? 0 : backOffMs(crashes, loginRetry.firstMs, loginRetry.longestMs);
    // A time ahead of the clock, which was set back since, counts as now.
    await this.#wait(pauseMs - Math.max(0, now() - lastAt), starts, signal);
    await this.#store({ starts: starts + 1, lastAt: now() });
  }

  /** A session has started. If it lasts, its start was a good one. */
  sessionStarted(): void {
    clearTimeout(this.#lasting);
    this.#lasting = setTimeout(() => void this.settle(), this.#options.sessionLastsMs).unref();
  }

  /** The starts so far were good ones. Never rejects. */
  async settle(): Promise<void> {
    clearTimeout(this.#lasting);
    const logins = await this.#read();
    if (logins.starts > 0) await this.#store({ ...logins, starts: 0 });
  }

  async #read(): Promise<Logins> {
    const stored = await this.#options.keyv.get<Logins>(key).catch(() => undefined);
    return stored ?? { starts: 0, lastAt: 0 };
  }

  async #store(logins: Logins): Promise<void> {
    await this.#options.keyv.set(key, logins).catch(() => undefined);
  }

  async #wait(ms: number, starts: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0) return;
    const { log, sleep = (time, until) => delay(time, undefined, { signal: until }) } = this.#options;
    const time = ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} min`;
    log.warn(
      `the bot waits ${time} before it logs in to Discord: the last ${starts} logins ended in a crash or were refused. ` +
        'Discord resets the token of a bot that logs in too often. The service keeps running. After a crash, find its cause ' +
        'in the log; to log in at once after that, stop and start Outpost',
    );
    await sleep(ms, signal);
  }
}
