import { once } from 'node:events';
import type { Clock } from '../../../process/clock.ts';
import { FileError } from '../file-port.ts';
import { LoginRefused } from './session.ts';

/** fail2ban shuts out an address after five failures within this time, and some owners set fewer. */
const windowMs = 10 * 60_000;
/** Two, so that one wrong password does not keep out the other users of a host. */
const usualRefusals = 2;

/** The logins of all users at one host, which counts the failures of this machine, not those of a user. */
export class HostLogins {
  readonly #host: string;
  readonly #clock: Clock;
  readonly #mostRefusals: number;
  /** When logins were refused, by the monotonic clock. */
  #refusedAt: number[] = [];
  #underWay = 0;
  #waiting: (() => void)[] = [];

  /** @param mostRefusals within ten minutes */
  constructor(host: string, clock: Clock, mostRefusals = usualRefusals) {
    this.#host = host;
    this.#clock = clock;
    this.#mostRefusals = mostRefusals;
  }

  /**
   * Logs in as soon as a refusal of each login that is under way would not be one too many.
   * @throws FileError when the host has refused too many of late
   */
  async run<T>(logIn: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      const refusals = this.#refusals();
      if (refusals.length >= this.#mostRefusals) throw this.#paused(refusals);
      if (refusals.length + this.#underWay < this.#mostRefusals) break;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#underWay += 1;
    const login = logIn();
    try {
      // One that was given up may never end, such as a handshake of TLS that the host does not answer.
      await Promise.race([login, once(signal, 'abort')]);
    } catch (error) {
      if (error instanceof LoginRefused) this.#refusedAt.push(this.#clock.monotonic());
    } finally {
      this.#underWay -= 1;
      for (const proceed of this.#waiting.splice(0)) proceed();
    }
    return await login;
  }

  #refusals(): number[] {
    const since = this.#clock.monotonic() - windowMs;
    return (this.#refusedAt = this.#refusedAt.filter((moment) => moment > since));
  }

  #paused([first = 0]: readonly number[]): FileError {
    const waitMs = first + windowMs - this.#clock.monotonic();
    const at = new Date(this.#clock.now() + waitMs).toISOString().slice(11, 16);
    return new FileError({
      code: 'EREMOTE',
      message: `${this.#host} has refused ${this.#mostRefusals} logins from here; no other is tried before ${at} UTC`,
      remedy: `correct the user names and passwords at ${this.#host} that are refused`,
    });
  }
}
