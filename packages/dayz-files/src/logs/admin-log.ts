import { decodeRaw, linesOf } from '../text.ts';
import type { LocalZone } from './local-clock.ts';
import type {
  HeadlessLines,
  LogBlock,
  LogFormat,
  LogReader,
  OnEvent,
  ReaderOptions,
  RunRead,
} from './log-format.ts';
import { adminLogRecovery, isBlank, splitAtHeaders, timeOf } from './admin-log-head.ts';
import { type RunCheckpoint, runCheckpoint, RunReader, type RunReaderOptions } from './admin-log-run.ts';
import { Vocabulary } from './vocabulary.ts';

/**
 * The admin log of all versions of the game: an `.ADM` file contains the runs of a server, each from its header to
 * the next.
 */
export const adminLog: LogFormat<RunCheckpoint> = {
  name: 'admin-log',
  holds: 'runs',
  files: '.ADM',
  notThis: 'is not a DayZ admin log: no line "AdminLog started on <date> at <time>" in it',
  fileName: /\.adm$/i,
  withoutSteamIds: /^DayZServer_(?:X1|PS[0-9])_/i,
  state: runCheckpoint,
  open: (options) => new AdminLogReader(options),
  recovery: adminLogRecovery,
};

const dayMs = 86_400_000;
/** Some hosts hand lines over minutes late, and clocks change between winter and summer. */
const mostOffMs = 2 * 60 * 60_000;

/** Shared by all files, because the logs of one server repeat the same ids and names. */
const words = new Vocabulary(decodeRaw);

class AdminLogReader implements LogReader<RunCheckpoint> {
  unreadLines = 0;
  content: 'log' | 'nothing' | 'other' = 'nothing';
  readonly #zone: LocalZone;
  readonly #options: Omit<RunReaderOptions, 'knownBytes'>;
  readonly #knownBytes: (header: string) => number;
  #run: RunReader | null = null;
  /** Lines of ended runs and before the first run, less those of the resumed run. */
  #lines = 0;
  #lastEventAt: number | null = null;
  #headless: HeadlessLines | null = null;

  constructor({
    zone,
    state = null,
    knownBytes = () => 0,
    onUnread = () => undefined,
  }: ReaderOptions<RunCheckpoint>) {
    this.#zone = zone;
    this.#knownBytes = knownBytes;
    this.#options = {
      words,
      onUnread: (line) => {
        this.unreadLines += 1;
        onUnread(line);
      },
    };
    if (state === null) return;
    this.content = 'log';
    this.#run = new RunReader(zone, state.header, { ...this.#options, knownBytes: 0 }, state);
    this.#lines = -state.lines;
  }

  get lines(): number {
    return this.#lines + (this.#run?.lines ?? 0);
  }

  get run(): RunRead | null {
    return this.#run?.run() ?? null;
  }

  get lastEventAt(): number | null {
    return this.#run?.lastSeenAt ?? this.#lastEventAt;
  }

  get headless(): HeadlessLines | null {
    return this.#headless;
  }

  read({ bytes, holds, quietMs = 0 }: LogBlock, onEvent: OnEvent): void {
    const isPart = holds === 'part-of-line';
    if (quietMs >= dayMs) this.#skipDays(bytes, quietMs);
    for (const { header, bytes: piece } of isPart ? [{ header: null, bytes }] : splitAtHeaders(bytes)) {
      if (header !== null) {
        this.end(onEvent);
        this.content = 'log';
        const knownBytes = this.#knownBytes(header);
        this.#run = new RunReader(this.#zone, header, { ...this.#options, knownBytes });
        onEvent(this.#run.started());
      }
      if (this.#run === null) this.#readStray(piece);
      else if (isPart) this.#run.readPartOfLine(piece);
      else this.#run.readLines(piece, onEvent);
    }
  }

  end(onEvent: OnEvent): void {
    const run = this.#run;
    if (run === null) return;
    onEvent(run.ended());
    this.#lines += run.lines;
    this.#lastEventAt = run.lastSeenAt;
    this.#run = null;
  }

  state(): RunCheckpoint | null {
    return this.#run?.checkpoint() ?? null;
  }

  /** Whole days on which nobody was on leave no line. Without them, these lines come so much too early. */
  #skipDays(bytes: Buffer, quietMs: number): void {
    const run = this.#run;
    if (run?.isEmpty !== true) return;
    const ahead = new AdminLogReader({ zone: this.#zone, state: run.checkpoint() });
    ahead.read({ bytes }, () => undefined);
    const earlyMs = run.lastSeenAt + quietMs - (ahead.lastEventAt ?? 0);
    const days = Math.round(earlyMs / dayMs);
    if (days > 0 && Math.abs(earlyMs - days * dayMs) <= mostOffMs) run.skipDays(days);
  }

  /** Reads the lines before the first header, of which only the time of day is known. */
  #readStray(piece: Buffer): void {
    const lines = linesOf(piece);
    this.#lines += lines.length;
    if (this.content === 'nothing' && lines.every(isBlank)) return;
    this.content = 'other';
    this.unreadLines += lines.length;
    const times = lines.filter((line) => timeOf(line) >= 0).map((line) => line.slice(0, 8));
    this.#headless = {
      bytes: (this.#headless?.bytes ?? 0) + withoutFraming(piece),
      from: this.#headless?.from ?? times[0] ?? null,
      to: times.at(-1) ?? this.#headless?.to ?? null,
    };
  }
}

const framing = Buffer.from('* \t\r\n');
const lineFeed = 0x0a;

/** The number of bytes without the blank lines and the row of asterisks before the next header. */
function withoutFraming(piece: Buffer): number {
  let end = piece.length;
  while (end > 0 && framing.includes(piece[end - 1] ?? 0)) end -= 1;
  return end === 0 ? 0 : piece.indexOf(lineFeed, end) + 1 || piece.length;
}
