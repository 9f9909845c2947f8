import { IANAZone } from 'luxon';
import { dayMs, dayOf, localOf } from './local-time.ts';

/** A log spans few days; one that steps back with every line must not fill the memory. */
const maxDays = 1000;

/** Converts local times of one zone, written as if they were UTC, to epoch milliseconds; offsets are computed once per day. */
export class LocalZone {
  readonly #zone: IANAZone;
  /** By day; null: the clocks change within a day of it. */
  readonly #offsets = new Map<number, number | null>();

  /** @throws if `name` is not an IANA time zone */
  constructor(name: string) {
    this.#zone = IANAZone.create(name);
    if (!this.#zone.isValid)
      throw new Error(`${JSON.stringify(name)} is not an IANA time zone like "Europe/Berlin"`);
  }

  /**
   * The moments at which the zone's clocks show this time: two in the hour that autumn repeats, otherwise one. For a
   * time that spring skips, it is the moment at which the clocks would have shown it.
   */
  momentsOf(local: number): readonly [number, number?] {
    const offset = this.#offsetAbout(dayOf(local));
    if (offset !== null) return [local - offset];
    const before = this.#offsetAt(local - dayMs);
    const after = this.#offsetAt(local + dayMs);
    const fitting = [local - before, local - after].filter((at) => this.localAt(at) === local);
    const [first = local - before, second] = [...new Set(fitting)].toSorted((a, b) => a - b);
    return second === undefined ? [first] : [first, second];
  }

  /** Whether the zone's clocks change within a day of this one. */
  changesAbout(day: number): boolean {
    return this.#offsetAbout(day) === null;
  }

  /** Whether the zone's clocks never show this time, because spring skips it. */
  lacks(local: number): boolean {
    return this.localAt(this.momentsOf(local)[0]) !== local;
  }

  /** The (first) moment of a local date and time, `2021-03-31 21:12:34`. */
  momentOf(text: string): number {
    return this.momentsOf(localOf(text))[0];
  }

  localAt(at: number): number {
    return at + this.#offsetAt(at);
  }

  #offsetAbout(day: number): number | null {
    let offset = this.#offsets.get(day);
    if (offset === undefined) {
      const before = this.#offsetAt(day - dayMs / 2);
      offset = before === this.#offsetAt(day + 1.5 * dayMs) ? before : null;
      if (this.#offsets.size >= maxDays) this.#offsets.clear();
      this.#offsets.set(day, offset);
    }
    return offset;
  }

  #offsetAt(at: number): number {
    // Before time zones were introduced, offsets were not whole minutes.
    return Math.round(this.#zone.offset(at) * 60_000);
  }
}
