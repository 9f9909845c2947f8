import { setTimeout as delay } from 'node:timers/promises';
import type { APIGatewayBotInfo } from 'discord.js';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import { backOffMs } from '../../process/back-off.ts';
import type { Clock } from '../../process/clock.ts';

interface LoginGuardOptions extends Pick<Clock, 'now'> {
  /** Keeps the count over restarts, and for all processes. Logs its failures; Discord's count holds without it. */
  keyv: Keyv;
  log: Logger;
  /** Reads `GET /gateway/bot`. */
  readInformation: () => Promise<APIGatewayBotInfo>;
  /** Default: a timer. Rejects when the signal is aborted. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** How long a session lasts until its start counts as a good one. Default: 10 minutes. */
  sessionLastsMs?: number | undefined;
}

/** `starts`: since the last good one. `lastAt`: epoch milliseconds of the latest. */
interface Logins {
  starts: number;
  lastAt: number;
}

const key = 'logins';
/** Without a wait, so that a takeover soon after a start is quick: this share of the day's logins, 5 of the usual 1,000. */
const freeShare = 0.005;
const firstWaitMs = 10_000;
const longestWaitMs = 3_600_000;
/** Of Discord's 1,000 a day. */
const reservedLogins = 100;
const usualLastsMs = 600_000;

/** Keeps a crash loop from using up the logins (IDENTIFY) that Discord allows a bot in a day. */
export class LoginGuard {
  readonly #options: LoginGuardOptions;
  #lasting: NodeJS.Timeout | undefined;

  constructor(options: LoginGuardOptions) {
    this.#options = options;
  }

  /** Waits until the bot may log in, and counts that. @throws when aborted, and where Discord cannot be asked */
  async turn(signal: AbortSignal): Promise<void> {
    const { now, readInformation } = this.#options;
    const { starts, lastAt } = await this.#read();
    const { shards, session_start_limit: limit } = await readInformation();
    const cutShort = starts - limit.total * freeShare;
    const pauseMs = cutShort < 0 ? 0 : backOffMs(cutShort + 1, firstWaitMs, longestWaitMs);
    // A time ahead of the clock, which was set back since, counts as now.
    const leftMs = pauseMs - Math.max(0, now() - lastAt);
    await this.#wait(leftMs, `the last ${starts} logins ended in a crash or were refused`, signal);
    if (limit.remaining - shards < reservedLogins) {
      const reason = `Discord allows this bot only ${limit.remaining} more logins until then`;
      await this.#wait(limit.reset_after, reason, signal);
    }
    await this.#store({ starts: starts + 1, lastAt: now() });
  }

  /** A session has started. If it lasts, its start was a good one. */
  sessionStarted(): void {
    clearTimeout(this.#lasting);
    const { sessionLastsMs = usualLastsMs } = this.#options;
    this.#lasting = setTimeout(() => void this.settle(), sessionLastsMs).unref();
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

  async #wait(ms: number, reason: string, signal: AbortSignal): Promise<void> {
    if (ms <= 0) return;
    const { log, sleep = (time, until) => delay(time, undefined, { signal: until }) } = this.#options;
    const time = ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} min`;
    log.warn(
      `the bot waits ${time} before it logs in to Discord: ${reason}. Discord resets the token of a bot that logs in too ` +
        'often. The service keeps running. After a crash, find its cause in the log; to log in at once after that, stop and ' +
        'start Outpost',
    );
    await sleep(ms, signal);
  }
}
