import type { GameEvent } from './events.ts';
import { maxLineBytes } from './blocks.ts';
import { decodeRaw, linesOf, rawPiecesOf } from '../text.ts';
import { dayMs, timeOfDayMs } from './local-time.ts';
import type { LocalZone } from './local-zone.ts';
import { RunClock } from './run-clock.ts';
import type { OnEvent, RunRead } from './log-format.ts';
import type { RestRun } from './log-rest.ts';
import { RunDigest } from './run-digest.ts';
import { timeOf } from './admin-log-head.ts';
import { readAdminLogLine } from './admin-log-line.ts';
import { OddNames } from './odd-names.ts';
import { PlayerLists } from './player-lists.ts';
import { Vocabulary } from './vocabulary.ts';

/** The ids and names of all files, because the logs of one server repeat the same. */
const words = new Vocabulary(decodeRaw);

interface RunReaderOptions {
  /** What the run is the rest of; null: it has a header. */
  rest: RestRun | null;
  /** Length of the stored copy of the run in bytes; 0: none is stored. */
  knownBytes: number;
  onUnread: (line: string) => void;
}

/** Reads the lines of one run of an admin log. */
export class RunReader {
  lines = 0;
  /** The latest moment of any line. */
  lastSeenAt: number;
  readonly #header: string;
  readonly #clock: RunClock;
  readonly #digest: RunDigest;
  readonly #options: RunReaderOptions;
  readonly #startedAt: number;
  /** Only lines after this moment count. */
  readonly #countsAfter: number;
  #unread = 0;
  /** Whether the latest block ended inside a line that is too long to be read. */
  #overlong = false;
  /** Mods write lines that continue without a time; those after a known line are known, too. */
  #continues = false;
  /** At least so many players are on. */
  #on = 0;
  readonly #lists = new PlayerLists();
  readonly #oddNames = new OddNames();

  constructor(zone: LocalZone, header: string, options: RunReaderOptions) {
    this.#header = header;
    this.#options = options;
    this.#clock = new RunClock(zone, header);
    this.#digest = new RunDigest(options.knownBytes);
    this.#startedAt = this.#clock.at;
    const countsAfter = options.rest?.countsAfter ?? null;
    this.#countsAfter = countsAfter === null ? Number.NEGATIVE_INFINITY : zone.momentOf(countsAfter);
    this.lastSeenAt = this.#clock.at;
  }

  started(): GameEvent {
    const at = Math.max(this.#startedAt, this.#countsAfter);
    return { kind: 'run-started', at, header: this.#header, isRest: this.#options.rest !== null };
  }

  ended(): GameEvent {
    return { kind: 'run-ended', at: this.lastSeenAt };
  }

  /** Whole days on which nobody was on leave no line. Without them, these lines come so much too early. */
  skipQuietDays(bytes: Buffer, quietMs: number): void {
    if (this.#on > 0) return;
    const times = linesOf(bytes)
      .map(timeOf)
      .filter((time) => time >= 0);
    const earlyMs = this.lastSeenAt + quietMs - this.#clock.momentAfter(times);
    const days = Math.round(earlyMs / dayMs);
    if (days > 0 && Math.abs(earlyMs - days * dayMs) <= toleranceMs) this.#clock.skipDays(days);
  }

  /** Reads whole lines, or the last one without its end. */
  readLines(bytes: Buffer, onEvent: OnEvent): void {
    this.#count(bytes);
    this.#overlong = false;
    for (const text of rawPiecesOf(bytes)) this.#readText(text, onEvent);
  }

  /** A line that is too long arrives in parts and counts once, with the first. */
  readPartOfLine(bytes: Buffer): void {
    this.#count(bytes);
    const isFirst = !this.#overlong;
    this.#overlong = bytes.at(-1) !== lineFeed;
    if (!isFirst) return;
    this.lines += 1;
    this.#skip(overlongLine);
  }

  #count(bytes: Buffer): void {
    this.#digest.update(bytes.includes(carriageReturn) ? withoutReturns(bytes) : bytes);
  }

  run(): RunRead {
    return {
      header: this.#header,
      rest: this.#options.rest,
      startedAt: this.#startedAt,
      lastSeenAt: this.lastSeenAt,
      bytes: this.#digest.bytes,
      digest: this.#digest.digest(),
      prefix: this.#digest.prefix,
      lines: this.lines,
      unreadLines: this.#unread,
      isOffZone: this.#clock.isOffZone,
    };
  }

  #readText(text: string, onEvent: OnEvent): void {
    for (let from = 0; from < text.length; this.lines += 1) {
      const feed = text.indexOf('\n', from);
      const to = feed < 0 ? text.length : feed;
      this.#readLine(text, from, to, onEvent);
      from = to + 1;
    }
  }

  #readLine(text: string, from: number, to: number, onEvent: OnEvent): void {
    if (to < from + timeLength || !text.startsWith(' | ', from + 8)) {
      const line = text.slice(from, to);
      if (framing.test(line)) this.#continues = false;
      else if (!this.#continues) this.#skip(line);
      return;
    }
    const time = timeOfDayMs(text, from);
    if (time < 0 || to - from > maxLineLength) {
      this.#skip(text.slice(from, to));
      return;
    }
    const at = this.#clock.advance(time, this.#on > 0);
    if (at > this.lastSeenAt) this.lastSeenAt = at;
    if (at <= this.#countsAfter) return;
    const result = readAdminLogLine(text, at, from + timeLength, to, words, this.#oddNames);
    this.#continues = result === 'nothing' || (result !== 'unread' && result.kind === 'identity');
    if (result === 'unread') this.#skip(text.slice(from, to));
    else if (result !== 'nothing') {
      this.#on = onAfter(result, this.#on);
      onEvent(result);
    }
    const players = this.#lists.read(text, from + timeLength, to, result);
    if (players === null) return;
    this.#on = players.length;
    onEvent({ kind: 'player-list', at, players });
  }

  #skip(line: string): void {
    this.#unread += 1;
    this.#options.onUnread(decodeRaw(line).trimEnd());
  }
}

/** How many players are on at least after an event, if so many were before it. A body may be hit after its player has left. */
function onAfter({ kind }: GameEvent, before: number): number {
  if (kind === 'disconnected' || kind === 'dropped') return Math.max(0, before - 1);
  const isOn = kind === 'connecting' || kind === 'connected' || kind === 'seen' || kind === 'gesture';
  return isOn ? Math.max(1, before) : before;
}

/**
 * How far a silence may differ from whole days: some hosts hand lines over minutes late, and clocks change between
 * winter and summer.
 */
const toleranceMs = 2 * 60 * 60_000;

/** `HH:MM:SS | ` */
const timeLength = 11;

/** Lines below `maxLineBytes` may arrive whole, longer ones may not. So the limit is well below. */
const maxLineLength = maxLineBytes / 4;
const overlongLine = '(a line of more than 64 KiB, or one that was cut off)';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** A copy with carriage returns is the same run. */
const withoutReturns = (bytes: Buffer): Uint8Array => bytes.filter((byte) => byte !== carriageReturn);
/** Blank lines, rows of asterisks (`***EOF***` among them) and the header itself. */
const framing = /^(?:\s*|\*[*EOF]*\s*|AdminLog started on .*\r?)$/;
