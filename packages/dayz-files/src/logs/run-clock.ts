import { dayMs, dayOf, jitterMs, localOf } from './local-time.ts';
import type { LocalZone } from './local-zone.ts';

const hourMs = 3_600_000;
/** While players are on, no day passes without a line: a step back by this much at most is a clock that was set right. */
const mostSetBackMs = 2 * hourMs;

/** The lines so far in an hour that autumn repeats, until its repetition starts. */
interface RepeatedHour {
  lines: number;
  /** While players were on. */
  longestGapMs: number;
  /** Whether the server was empty for a while, as before the run, so that the lines may be of the repetition. */
  wasEmpty: boolean;
}

/**
 * The clock of one log run: its lines have times (`HH:MM:SS`) without dates. A step back of more than five minutes is
 * the next day, unless the zone's autumn hour explains it, or players are on.
 *
 * The machine's clock may not be in the configured zone. A time that spring skips proves it, and so does an hour of
 * autumn that is full of lines and not repeated, or one that is repeated when the zone repeats none. From then on the
 * clock counts without the zone's changes, so that sessions have their true length.
 *
 * If the first of the two hours may have passed without a line, the lines may be those of its repetition: the clock then
 * does the same, an hour early, but nothing is proved.
 */
export class RunClock {
  readonly #zone: LocalZone;
  /** Moment of the header. */
  readonly #start: number;
  #day: number;
  #timeMs: number;
  /** The clock's offset from UTC, once it counts without the zone's changes. */
  #ownOffsetMs: number | null = null;
  #repeatedHour: RepeatedHour | null = null;
  /** The moment of the latest line. */
  at: number;
  /** Whether the lines have shown that the clock is not in the zone. */
  isOffZone = false;

  /** @param header local date and time of the run's header, `2021-03-31 21:12:34` */
  constructor(zone: LocalZone, header: string) {
    this.#zone = zone;
    this.#start = zone.momentOf(header);
    this.#day = dayOf(localOf(header));
    this.#timeMs = localOf(header) - this.#day;
    this.at = this.#start;
    this.#watchChange(this.#timeMs, this.#start, false);
  }

  /**
   * Advances to the time of day of a line.
   * @param isAnyoneOn whether players were on at the line before: they write lines all day, and one when they leave; left
   * out: unknown
   * @returns its moment
   */
  advance(timeMs: number, isAnyoneOn?: boolean): number {
    if (timeMs === this.#timeMs) return this.at;
    const before = { timeMs: this.#timeMs, at: this.at };
    this.#timeMs = timeMs;
    const earliest = this.at - jitterMs;
    const [first, second] = this.#momentsOf(this.#day, timeMs);
    const dayBefore = first - this.at > dayMs / 2 ? this.#dayBefore(timeMs) : null;
    // 23:59:59 after 00:00:01 is two seconds back, not a day on.
    if (dayBefore !== null && dayBefore >= earliest && dayBefore >= this.#start) {
      this.#day -= dayMs;
      this.at = dayBefore;
    } else if (first >= earliest) this.at = first;
    else if (second !== undefined && second >= earliest) this.at = second;
    else if (isAnyoneOn === true && isRepeatedHour(before.timeMs, timeMs)) {
      this.at += timeMs - before.timeMs + hourMs;
      this.#leaveZone();
    } else if (isAnyoneOn === true && first >= this.at - mostSetBackMs) this.at = first;
    else {
      this.#day += dayMs;
      this.at = this.#momentsOf(this.#day, timeMs)[0];
    }
    this.#watchChange(before.timeMs, before.at, isAnyoneOn !== false);
    return this.at;
  }

  /** The next line is so many days later than its time says. */
  skipDays(days: number): void {
    this.#day += days * dayMs;
    [this.at] = this.#momentsOf(this.#day, this.#timeMs);
    this.#repeatedHour = null;
  }

  /** The moment of the last of these times of day if lines with them came next, on days that follow one another. */
  momentAfter(times: readonly number[]): number {
    let [day, before] = [this.#day, this.#timeMs];
    for (const time of times) {
      if (time < before - jitterMs) day += dayMs;
      before = time;
    }
    return this.#momentsOf(day, before)[0];
  }

  #dayBefore(timeMs: number): number {
    const [first, second = first] = this.#momentsOf(this.#day - dayMs, timeMs);
    return second;
  }

  #momentsOf(day: number, timeMs: number): readonly [number, number?] {
    return this.#ownOffsetMs === null
      ? this.#zone.momentsOf(day + timeMs)
      : [day + timeMs - this.#ownOffsetMs];
  }

  /**
   * Checks whether the latest line shows that the clock is not in the zone. @param lastTimeMs @param lastAt of the
   * line before @param mayBeOn whether players may have been on since; without any, an hour can pass that leaves no line
   */
  #watchChange(lastTimeMs: number, lastAt: number, mayBeOn: boolean): void {
    if (this.#ownOffsetMs !== null || !this.#zone.changesAbout(this.#day)) return;
    if (this.#zone.lacks(this.#day + this.#timeMs)) {
      this.#leaveZone();
      return;
    }
    const [first, second] = this.#momentsOf(this.#day, this.#timeMs);
    const gapMs = this.#timeMs - lastTimeMs;
    const hour = this.#repeatedHour;
    if (second !== undefined) {
      const wasEmpty = hour?.wasEmpty === true || !mayBeOn;
      const longestGapMs = Math.max(hour?.longestGapMs ?? 0, mayBeOn ? gapMs : 0);
      const lines = (hour?.lines ?? 0) + 1;
      this.#repeatedHour = this.at === first ? { lines, longestGapMs, wasEmpty } : null;
      return;
    }
    this.#repeatedHour = null;
    if (hour === null || !mayBeOn || gapMs < 0 || this.at - lastAt === gapMs) return;
    if (Math.max(hour.longestGapMs, gapMs) > longestGapOfFullHourMs) return;
    this.at = lastAt + gapMs;
    this.#leaveZone(hour.lines >= linesOfFullHour && !hour.wasEmpty);
  }

  /** From here on, counts without the zone's changes. @param isOffZone whether the lines prove that the clock is not in it */
  #leaveZone(isOffZone = true): void {
    this.#ownOffsetMs = this.#day + this.#timeMs - this.at;
    this.isOffZone = isOffZone;
  }
}

/**
 * A server with players writes at least every five minutes. So after an hour with that many lines, its repetition
 * cannot have passed without a single one: the clock did not repeat the hour.
 */
const linesOfFullHour = 10;
const longestGapOfFullHourMs = 10 * 60_000;

/** Whether a clock was set back by an hour at the full hour, some minutes after a line before. */
function isRepeatedHour(beforeMs: number, timeMs: number): boolean {
  const gapMs = timeMs - beforeMs + hourMs;
  const isSameHour = Math.floor(beforeMs / hourMs) === Math.floor(timeMs / hourMs);
  return isSameHour && gapMs >= 0 && gapMs <= longestGapOfFullHourMs;
}
