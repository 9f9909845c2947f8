import { linesOf } from '../text.ts';
import { dayMs } from './local-time.ts';
import type { LogBlock, LogFormat, LogReader, OnEvent, ReaderOptions, RunRead } from './log-format.ts';
import type { RestRun } from './log-rest.ts';
import { adminLogStarts, isBlank, splitAtHeaders } from './admin-log-head.ts';
import { RunReader } from './admin-log-run.ts';

/**
 * The admin log of all versions of the game: an `.ADM` file contains the runs of a server, each from its header to
 * the next.
 */
export const adminLog: LogFormat = {
  name: 'admin-log',
  holds: 'runs',
  files: '.ADM',
  mismatch: 'is not a DayZ admin log: no line "AdminLog started on <date> at <time>" in it',
  fileName: /\.adm$/i,
  withoutSteamIds: /^DayZServer_(?:X1|PS[0-9])_/i,
  open: (options) => new AdminLogReader(options),
  starts: adminLogStarts,
};

class AdminLogReader implements LogReader {
  unreadLines = 0;
  content: 'log' | 'nothing' | 'other' = 'nothing';
  readonly #options: ReaderOptions;
  #run: RunReader | null = null;
  /** The run of the lines before the first header; null: there is none, or it has begun. */
  #rest: RestRun | null;
  /** Lines of ended runs and before the first run. */
  #lines = 0;
  #lastEventAt: number | null = null;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#rest = options.rest ?? null;
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

  read({ bytes, kind, quietMs = 0 }: LogBlock, onEvent: OnEvent): void {
    const isPart = kind === 'part-of-line';
    if (quietMs >= dayMs) this.#run?.skipQuietDays(bytes, quietMs);
    const pieces = isPart ? [{ header: null, bytes }] : splitAtHeaders(bytes);
    for (const { header, bytes: piece } of pieces) {
      if (header !== null) this.#begin(header, null, onEvent);
      else if (this.#rest !== null) this.#begin(this.#rest.header, this.#rest, onEvent);
      if (this.#run === null) this.#readStray(piece);
      else if (isPart) this.#run.readPartOfLine(piece);
      else this.#run.readLines(piece, onEvent);
    }
  }

  #begin(header: string, rest: RestRun | null, onEvent: OnEvent): void {
    this.end(onEvent);
    this.content = 'log';
    this.#rest = null;
    const { zone, knownBytes, onUnread } = this.#options;
    this.#run = new RunReader(zone, header, {
      rest,
      knownBytes: knownBytes?.(header) ?? 0,
      onUnread: (line) => {
        this.unreadLines += 1;
        onUnread?.(line);
      },
    });
    onEvent(this.#run.started());
  }

  end(onEvent: OnEvent): void {
    const run = this.#run;
    if (run === null) return;
    onEvent(run.ended());
    this.#lines += run.lines;
    this.#lastEventAt = run.lastSeenAt;
    this.#run = null;
  }

  /** Lines before the first header that are no rest of a run. */
  #readStray(piece: Buffer): void {
    const lines = linesOf(piece);
    this.#lines += lines.length;
    if (this.content === 'nothing' && lines.every(isBlank)) return;
    this.content = 'other';
    this.unreadLines += lines.length;
  }
}
