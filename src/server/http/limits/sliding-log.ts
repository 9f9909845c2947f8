/**
 * The times of the latest admitted requests, at most `quota` of them, in a ring buffer. A request is admitted if
 * fewer than `quota` lie within the window that ends with it, so no window of that length ever contains more.
 * Counters per calendar minute would admit twice the quota around the turn of the minute. Times are from a monotonic
 * clock.
 */
export class SlidingLog {
  readonly name: string;
  readonly windowMs: number;
  /** May change: earlier requests stay counted. */
  quota: number;
  #moments: Float64Array;
  /** Index of the oldest moment. */
  #oldest = 0;
  #size = 0;

  constructor(name: string, quota: number, windowMs: number) {
    this.name = name;
    this.quota = quota;
    this.windowMs = windowMs;
    // Most tokens make few requests, so the ring grows on demand.
    this.#moments = new Float64Array(Math.min(quota, 4));
  }

  /** How many more requests are admitted at `now`. */
  remaining(now: number): number {
    this.#forget(now);
    return Math.max(0, this.quota - this.#size);
  }

  /** Milliseconds until another request is admitted; the whole window when none is counted. */
  resetMs(now: number): number {
    this.#forget(now);
    if (this.#size === 0) return this.windowMs;
    // If the quota was lowered, this many must expire before one is given back.
    const blocking = Math.max(0, this.#size - this.quota);
    // In this order: a sum of fractions of a millisecond could exceed the window by a rounding error.
    return Math.max(0, this.#at(blocking) - now + this.windowMs);
  }

  /** Counts a request. Only after `remaining` was above 0. */
  take(now: number): void {
    if (this.#size === this.#moments.length) this.#grow();
    this.#moments[this.#index(this.#size)] = now;
    this.#size += 1;
  }

  /** Whether nothing is counted at `now`. */
  idle(now: number): boolean {
    this.#forget(now);
    return this.#size === 0;
  }

  #index(place: number): number {
    const index = this.#oldest + place;
    return index < this.#moments.length ? index : index - this.#moments.length;
  }

  #at(place: number): number {
    return this.#moments[this.#index(place)] as number;
  }

  #forget(now: number): void {
    while (this.#size > 0 && this.#at(0) + this.windowMs <= now) {
      this.#oldest = this.#index(1);
      this.#size -= 1;
    }
  }

  #grow(): void {
    const moments = new Float64Array(Math.max(this.#size + 1, Math.min(this.quota, this.#size * 2)));
    for (let place = 0; place < this.#size; place += 1) moments[place] = this.#at(place);
    this.#moments = moments;
    this.#oldest = 0;
  }
}
