import { IANAZone } from 'luxon';

const hourMs = 3_600_000;
export const dayMs = 86_400_000;
/**
 * A clock that steps back further than this has passed midnight. A smaller step is jitter between the game's threads,
 * which can also cross midnight backwards.
 */
export const jitterMs = 5 * 60_000;
/** While players are on, no day passes without a line: a step back by this much at most is a clock that was set right. */
const mostSetBackMs = 2 * hourMs;

/** A log spans few days; one that steps back with every line must not fill the memory. */
const maxDays = 1000;

/** Converts the local times of one zone to epoch milliseconds; offsets are computed once per day. */
export class LocalZone {
  readonly #zone: IANAZone;
  readonly #days = new Map<number, number | null>();

  /** @throws if `name` is not an IANA time zone */
  constructor(name: string) {
    this.#zone = IANAZone.create(name);
    if (!this.#zone.isValid)
      throw new Error(`${JSON.stringify(name)} is not an IANA time zone like "Europe/Berlin"`);
  }

  /**
   * The moments at which the zone's clocks show this time: two in the hour that autumn repeats, otherwise one. For a
   * time that spring skips, it is the moment at which the clocks would have shown it.
   * @param day local midnight as if it were UTC, epoch milliseconds
   * @param timeMs milliseconds since local midnight
   */
  momentsOf(day: number, timeMs: number): readonly [number, number?] {
    const local = day + timeMs;
    const offset = this.#offsetAbout(day);
    if (offset !== null) return [local - offset];
    const before = this.#offset(local - dayMs);
    const after = this.#offset(local + dayMs);
    const fitting = [local - before, local - after].filter((at) => at + this.#offset(at) === local);
    const [first = local - before, second] = [...new Set(fitting)].toSorted((a, b) => a - b);
    return second === undefined ? [first] : [first, second];
  }

  /** Whether the zone's clocks change within a day of this one. @param day local midnight as if it were UTC */
  changesAbout(day: number): boolean {
    return this.#offsetAbout(day) === null;
  }

  /** Whether the zone's clocks never show this time, because spring skips it. */
  lacks(day: number, timeMs: number): boolean {
    if (!this.changesAbout(day)) return false;
    const [at] = this.momentsOf(day, timeMs);
    return at + this.#offset(at) !== day + timeMs;
  }

  /** Null: the clocks change within a day of this one. */
  #offsetAbout(day: number): number | null {
    let offset = this.#days.get(day);
    if (offset === undefined) {
      const before = this.#offset(day - dayMs / 2);
      offset = before === this.#offset(day + 1.5 * dayMs) ? before : null;
      if (this.#days.size >= maxDays) this.#days.clear();
      this.#days.set(day, offset);
    }
    return offset;
  }

  /** The (first) moment of a local date and time, `2021-03-31 21:12:34`. */
  momentOf(text: string): number {
    const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
    return this.momentsOf(day, Date.parse(`1970-01-01T${text.slice(11)}Z`))[0];
  }

  /** The local time at a moment as if it were UTC, epoch milliseconds. */
  localAt(at: number): number {
    return at + this.#offset(at);
  }

  #offset(at: number): number {
    // Before time zones were introduced, offsets were not whole minutes.
    return Math.round(this.#zone.offset(at) * 60_000);
  }
}

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
    this.#day = Date.parse(`${header.slice(0, 10)}T00:00:00Z`);
    this.#timeMs = Date.parse(`1970-01-01T${header.slice(11)}Z`);
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
      ? this.#zone.momentsOf(day, timeMs)
      : [day + timeMs - this.#ownOffsetMs];
  }

  /**
   * Checks whether the latest line shows that the clock is not in the zone. @param lastTimeMs @param lastAt of the
   * line before @param mayBeOn whether players may have been on since; without any, an hour can pass that leaves no line
   */
  #watchChange(lastTimeMs: number, lastAt: number, mayBeOn: boolean): void {
    if (this.#ownOffsetMs !== null || !this.#zone.changesAbout(this.#day)) return;
    if (this.#zone.lacks(this.#day, this.#timeMs)) {
      this.#leaveZone();
      return;
    }
    const [first, second] = this.#zone.momentsOf(this.#day, this.#timeMs);
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

/** No real clock shows this; later moments of such a run could have no valid date. */
const firstUnrealYear = 2200;

/** Whether a header's text, `2021-03-31 21:12:34`, is a real date and time. */
export function isLocalTime(header: string): boolean {
  const at = Date.parse(`${header.replace(' ', 'T')}Z`);
  if (Number(header.slice(0, 4)) >= firstUnrealYear) return false;
  // A day that its month does not have would become a day of the next month.
  return Number.isFinite(at) && new Date(at).getUTCDate() === Number(header.slice(8, 10));
}

/**
 * Milliseconds since midnight of the `HH:MM:SS` at an index of the text; -1 if there is none. The hour may be padded
 * with a space, as some logs have it.
 */
export function timeOfDayMs(text: string, at = 0): number {
  const h = text.charCodeAt(at) === blank ? digit(text, at + 1) : digits(text, at);
  const m = digits(text, at + 3);
  const s = digits(text, at + 6);
  if (h < 0 || m < 0 || s < 0 || h > 23 || m > 59 || s > 59) return -1;
  if (text.charCodeAt(at + 2) !== colon || text.charCodeAt(at + 5) !== colon) return -1;
  return ((h * 60 + m) * 60 + s) * 1000;
}

const colon = 0x3a;
const blank = 0x20;

function digits(text: string, at: number): number {
  const tens = digit(text, at);
  const ones = digit(text, at + 1);
  return tens >= 0 && ones >= 0 ? tens * 10 + ones : -1;
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 0x30;
  return value >= 0 && value <= 9 ? value : -1;
}
