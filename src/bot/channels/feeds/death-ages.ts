import type { Death } from '../../../embeds/kill-feed.ts';
import type { Clock } from '../../../process/clock.ts';

/**
 * For how long deaths have been stored. The wall clock can be set at any time, so it only decides between the bounds
 * that the monotonic clock gives: a death was stored between the polls before and after it.
 */
export class DeathAges {
  readonly #clock: Clock;
  #polls: { latest: number; at: number; previousAt: number }[] = [];
  #known = -Infinity;
  #polledAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** To be called at each poll. @param latest the id of the last stored death */
  poll(latest: number): void {
    const at = this.#clock.monotonic();
    if (latest > this.#known) this.#polls.push({ latest, at, previousAt: this.#polledAt });
    this.#known = latest;
    this.#polledAt = at;
  }

  /** Milliseconds, never negative. */
  of({ id, storedAt }: Pick<Death, 'id' | 'storedAt'>): number {
    const { now, monotonic } = this.#clock;
    const poll = this.#polls.find(({ latest }) => id <= latest);
    const age = now() - storedAt;
    if (poll === undefined) return Math.max(0, age);
    return Math.min(Math.max(age, monotonic() - poll.at), monotonic() - poll.previousAt);
  }

  /** Ages of deaths up to this id are no longer needed. */
  forget(through: number): void {
    this.#polls = this.#polls.filter(({ latest }) => latest > through);
  }
}
