import * as z from 'zod';
import type { GameEvent } from '../../ingest/counting/events.ts';
import { maxLineBytes } from '../../ingest/files/blocks.ts';
import { decodeRaw, rawPiecesOf } from '../../ingest/files/text.ts';
import { clockState, type LocalZone, RunClock, timeOfDayMs } from '../../ingest/logs/local-clock.ts';
import type { RunRead } from '../../ingest/logs/log-format.ts';
import { RunDigest } from '../../ingest/logs/run-digest.ts';
import { readAdminLogLine } from './admin-log-line.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Where a reader stands in a run. */
export const runCheckpoint = z.object({
  header: z.string(),
  startedAt: z.number(),
  lastSeenAt: z.number(),
  clock: clockState,
  digest: z.object({ bytes: z.number(), crc: z.number().nullable() }),
  lines: z.number(),
  unreadLines: z.number(),
  /** Whether the latest block ended inside a line that is too long to be read. */
  overlong: z.boolean(),
  /** Whether the latest line is one that can go on in the next without a time; absent: it is not. */
  continues: z.literal(true).optional(),
});

export type RunCheckpoint = z.infer<typeof runCheckpoint>;

export interface RunReaderOptions {
  words: Vocabulary;
  /** How long the known copy of the run is, bytes; 0: none is known. */
  knownBytes: number;
  onUnread: (line: string) => void;
}

/** Reads the lines of one run of an admin log, in one go or where an earlier reader stopped. */
export class RunReader {
  readonly #header: string;
  readonly #clock: RunClock;
  readonly #digest: RunDigest;
  readonly #words: Vocabulary;
  readonly #onUnread: (line: string) => void;
  #startedAt: number;
  #latest: number;
  #lines = 0;
  #unread = 0;
  #overlong = false;
  /** Mods write lines that go on without a time; those of a line that is understood are, too. */
  #continues = false;

  static resume(zone: LocalZone, checkpoint: RunCheckpoint, options: RunReaderOptions): RunReader {
    const reader = new RunReader(zone, checkpoint.header, options, checkpoint);
    reader.#startedAt = checkpoint.startedAt;
    reader.#latest = checkpoint.lastSeenAt;
    reader.#lines = checkpoint.lines;
    reader.#unread = checkpoint.unreadLines;
    reader.#overlong = checkpoint.overlong;
    reader.#continues = checkpoint.continues ?? false;
    return reader;
  }

  constructor(
    zone: LocalZone,
    header: string,
    { words, knownBytes, onUnread }: RunReaderOptions,
    left?: Pick<RunCheckpoint, 'clock' | 'digest'>,
  ) {
    this.#header = header;
    this.#clock = new RunClock(zone, header, left?.clock);
    this.#digest = left === undefined ? new RunDigest(knownBytes) : RunDigest.resume(left.digest);
    this.#words = words;
    this.#onUnread = onUnread;
    this.#startedAt = this.#clock.at;
    this.#latest = this.#clock.at;
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

  /** Reads a piece of a block; its events come a part of the piece at a time. */
  *read(piece: Buffer, whole: boolean): Generator<readonly GameEvent[], void, void> {
    this.#digest.update(piece.includes(carriageReturn) ? withoutReturns(piece) : piece);
    if (!whole) {
      this.#readOverlong(piece);
      return;
    }
    this.#overlong = false;
    for (const text of rawPiecesOf(piece)) yield this.#readLines(text);
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
    };
  }

  /** Such a line comes in pieces and counts once, with its first. */
  #readOverlong(piece: Buffer): void {
    const isFirst = !this.#overlong;
    this.#overlong = piece.at(-1) !== lineFeed;
    if (!isFirst) return;
    this.#lines += 1;
    this.#skip(overlongLine);
  }

  #readLines(text: string): GameEvent[] {
    const events: GameEvent[] = [];
    for (let from = 0; from < text.length; this.#lines += 1) {
      const feed = text.indexOf('\n', from);
      const to = feed < 0 ? text.length : feed;
      this.#readLine(text, from, to, events);
      from = to + 1;
    }
    return events;
  }

  #readLine(text: string, from: number, to: number, events: GameEvent[]): void {
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
    const at = this.#clock.advance(time);
    if (at > this.#latest) this.#latest = at;
    const reading = readAdminLogLine(text, at, from + timeLength, to, this.#words);
    this.#continues = reading === 'nothing' || (reading !== 'unread' && reading.kind === 'identity');
    if (reading === 'unread') this.#skip(text.slice(from, to));
    else if (reading !== 'nothing') events.push(reading);
  }

  #skip(line: string): void {
    this.#unread += 1;
    this.#onUnread(decodeRaw(line).trimEnd());
  }
}

/** `HH:MM:SS | ` */
const timeLength = 11;

/** Whatever lies below `maxLineBytes` can be delivered whole; what is above can be not. So the limit lies well below. */
const maxLineLength = maxLineBytes / 4;
const overlongLine = '(a line of more than 64 KiB)';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** A run is the same whether its copy has a carriage return in each line or not. */
const withoutReturns = (piece: Buffer): Uint8Array => piece.filter((byte) => byte !== carriageReturn);
/** Blank lines, rows of asterisks (`***EOF***` among them) and the header itself. */
const framing = /^(?:\s*|\*[*EOF]*\s*|AdminLog started on .*)$/;
