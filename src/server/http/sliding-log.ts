/**
 * The moments of the latest admitted requests, at most `quota` of them, in a ring. A request is admitted when fewer
 * than `quota` lie within the window that ends with it, so that no window of that length ever holds more: exact, where
 * counters per calendar minute admit twice the quota around the turn of the minute.
 */
export class SlidingLog {
  readonly quota: number;
  readonly windowMs: number;
  #moments: Float64Array;
  /** Index of the oldest moment. */
  #oldest = 0;
  #size = 0;

  constructor(quota: number, windowMs: number) {
    this.quota = quota;
    this.windowMs = windowMs;
    // Most tokens make few requests: the ring grows with use.
    this.#moments = new Float64Array(Math.min(quota, 8));
  }

  /** How many more requests are admitted at `now`. */
  remaining(now: number): number {
    this.#forget(now);
    return Math.max(0, this.quota - this.#size);
  }

  /** Milliseconds until the next request is given back; the whole window when none is spent. */
  resetMs(now: number): number {
    this.#forget(now);
    return this.#size === 0 ? this.windowMs : Math.max(0, this.#at(0) + this.windowMs - now);
  }

  /** Counts a request. Only after `remaining` said that there is room. */
  take(now: number): void {
    if (this.#size === this.#moments.length) this.#grow();
    // A clock set back must not put a request before the ones already counted.
    const latest = this.#size === 0 ? now : Math.max(now, this.#at(this.#size - 1));
    this.#moments[(this.#oldest + this.#size) % this.#moments.length] = latest;
    this.#size += 1;
  }

  /** Takes the latest counted request back. */
  giveBack(): void {
    if (this.#size > 0) this.#size -= 1;
  }

  get idle(): boolean {
    return this.#size === 0;
  }

  #at(index: number): number {
    return this.#moments[(this.#oldest + index) % this.#moments.length] as number;
  }

  #forget(now: number): void {
    while (this.#size > 0 && this.#at(0) + this.windowMs <= now) {
      this.#oldest = (this.#oldest + 1) % this.#moments.length;
      this.#size -= 1;
    }
  }

  #grow(): void {
    const moments = new Float64Array(Math.min(this.quota, this.#moments.length * 2));
    for (let index = 0; index < this.#size; index += 1) moments[index] = this.#at(index);
    this.#moments = moments;
    this.#oldest = 0;
  }
}
