import * as z from 'zod';
import type { GameEvent } from './events.ts';
import { maxLineBytes } from './blocks.ts';
import { decodeRaw, rawPiecesOf } from '../text.ts';
import { clockState, type LocalZone, RunClock, timeOfDayMs } from './local-clock.ts';
import type { OnEvent, RunRead } from './log-format.ts';
import { RunDigest } from './run-digest.ts';
import { readAdminLogLine } from './admin-log-line.ts';
import { oddNames, OddNames } from './odd-names.ts';
import { openList, PlayerLists } from './player-lists.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The state of a reader in a run. */
export const runCheckpoint = z.object({
  header: z.string(),
  startedAt: z.number(),
  lastSeenAt: z.number(),
  clock: clockState,
  digest: z.object({ bytes: z.number(), crc: z.number() }),
  lines: z.number(),
  unreadLines: z.number(),
  /** Whether the latest block ended inside a line that is too long to be read. */
  overlong: z.boolean(),
  /** Whether the latest line may continue in the next one without a time; absent: it may not. */
  continues: z.literal(true).optional(),
  /** The player list that has started and not ended; absent: none. */
  list: openList.optional(),
  /** Absent: no player of the run has such a name. */
  oddNames: oddNames.optional(),
  /** The longest time between two lines; absent: 0. */
  longestGapMs: z.number().optional(),
  /** Whether its latest line is the row that ends a finished file; absent: it is not. */
  isOver: z.literal(true).optional(),
  /** At least so many players are on; absent: 0. */
  on: z.number().optional(),
});

export type RunCheckpoint = z.infer<typeof runCheckpoint>;

export interface RunReaderOptions {
  words: Vocabulary;
  /** Length of the stored copy of the run in bytes; 0: none is stored. */
  knownBytes: number;
  onUnread: (line: string) => void;
}

/** Reads the lines of one run of an admin log, from its start or from an earlier reader's state. */
export class RunReader {
  readonly #header: string;
  readonly #clock: RunClock;
  readonly #digest: RunDigest;
  readonly #options: RunReaderOptions;
  readonly #startedAt: number;
  #latest: number;
  #lines: number;
  #unread: number;
  #overlong: boolean;
  /** Mods write lines that continue without a time; those after a known line are known, too. */
  #continues: boolean;
  #longestGapMs: number;
  #isOver: boolean;
  #on: number;
  readonly #lists: PlayerLists;
  readonly #oddNames: OddNames;

  /** @param left the state of an earlier reader; left out: at the run's start */
  constructor(zone: LocalZone, header: string, options: RunReaderOptions, left?: RunCheckpoint) {
    this.#header = header;
    this.#options = options;
    this.#clock = new RunClock(zone, header, left?.clock);
    this.#digest = left === undefined ? new RunDigest(options.knownBytes) : RunDigest.resume(left.digest);
    this.#startedAt = left?.startedAt ?? this.#clock.at;
    this.#latest = left?.lastSeenAt ?? this.#clock.at;
    this.#lines = left?.lines ?? 0;
    this.#unread = left?.unreadLines ?? 0;
    this.#overlong = left?.overlong ?? false;
    this.#continues = left?.continues ?? false;
    this.#longestGapMs = left?.longestGapMs ?? 0;
    this.#isOver = left?.isOver ?? false;
    this.#on = left?.on ?? 0;
    this.#lists = new PlayerLists(left?.list);
    this.#oddNames = new OddNames(left?.oddNames);
  }

  get lines(): number {
    return this.#lines;
  }

  get lastSeenAt(): number {
    return this.#latest;
  }

  started(): GameEvent {
    return { kind: 'run-started', at: this.#startedAt, header: this.#header };
  }

  ended(): GameEvent {
    return { kind: 'run-ended', at: this.#latest };
  }

  /** Whether nobody is on, as far as that is known. */
  get isEmpty(): boolean {
    return this.#on === 0;
  }

  skipDays(days: number): void {
    this.#clock.skipDays(days);
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
    this.#lines += 1;
    this.#skip(overlongLine);
  }

  #count(bytes: Buffer): void {
    this.#digest.update(bytes.includes(carriageReturn) ? withoutReturns(bytes) : bytes);
  }

  run(): RunRead {
    return {
      header: this.#header,
      startedAt: this.#startedAt,
      lastSeenAt: this.#latest,
      bytes: this.#digest.bytes,
      digest: this.#digest.digest(),
      prefix: this.#digest.prefix,
      lines: this.#lines,
      unreadLines: this.#unread,
      isOffZone: this.#clock.isOffZone,
    };
  }

  checkpoint(): RunCheckpoint {
    const list = this.#lists.state();
    const odd = this.#oddNames.state();
    return {
      header: this.#header,
      startedAt: this.#startedAt,
      lastSeenAt: this.#latest,
      clock: this.#clock.state(),
      digest: this.#digest.state(),
      lines: this.#lines,
      unreadLines: this.#unread,
      overlong: this.#overlong,
      ...(this.#continues && { continues: true }),
      ...(list !== null && { list }),
      ...(odd.length > 0 && { oddNames: odd }),
      ...(this.#longestGapMs > 0 && { longestGapMs: this.#longestGapMs }),
      ...(this.#isOver && { isOver: true }),
      ...(this.#on > 0 && { on: this.#on }),
    };
  }

  #readText(text: string, onEvent: OnEvent): void {
    for (let from = 0; from < text.length; this.#lines += 1) {
      const feed = text.indexOf('\n', from);
      const to = feed < 0 ? text.length : feed;
      this.#readLine(text, from, to, onEvent);
      from = to + 1;
    }
  }

  #readLine(text: string, from: number, to: number, onEvent: OnEvent): void {
    if (to < from + timeLength || !text.startsWith(' | ', from + 8)) {
      const line = text.slice(from, to);
      if (framing.test(line)) {
        this.#continues = false;
        this.#isOver ||= endOfRun.test(line);
      } else if (!this.#continues) this.#skip(line);
      return;
    }
    const time = timeOfDayMs(text, from);
    if (time < 0 || to - from > maxLineLength) {
      this.#skip(text.slice(from, to));
      return;
    }
    const at = this.#clock.advance(time, this.#on > 0);
    this.#isOver = false;
    if (at > this.#latest) {
      this.#longestGapMs = Math.max(this.#longestGapMs, at - this.#latest);
      this.#latest = at;
    }
    const { words } = this.#options;
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

/** `HH:MM:SS | ` */
const timeLength = 11;

/** Lines below `maxLineBytes` may arrive whole, longer ones may not. So the limit is well below. */
const maxLineLength = maxLineBytes / 4;
const overlongLine = '(a line of more than 64 KiB, or one that was cut off)';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** A copy with carriage returns is the same run. */
const withoutReturns = (bytes: Buffer): Uint8Array => bytes.filter((byte) => byte !== carriageReturn);
/** The row at the end of a file that the game has finished. */
const endOfRun = /^\*+EOF\*+\s*$/;
/** Blank lines, rows of asterisks (`***EOF***` among them) and the header itself. */
const framing = /^(?:\s*|\*[*EOF]*\s*|AdminLog started on .*\r?)$/;
