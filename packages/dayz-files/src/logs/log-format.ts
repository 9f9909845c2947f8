import type * as z from 'zod';
import type { GameEvent } from './events.ts';
import type { Block } from './blocks.ts';
import type { LocalZone } from './local-clock.ts';

/** A kind of log that a game server writes: which files are of it, and what reads them. */
export interface LogFormat<State extends ReaderState = ReaderState> {
  /** The format's name in code and reports. */
  readonly name: string;
  /** `runs`: what happened on the server, run by run. `identities`: only which ids and names belong together. */
  readonly holds: 'runs' | 'identities';
  /** What owners know its files by: `.ADM`. */
  readonly files: string;
  /** What is wrong with a file of another format: `is not a DayZ admin log: …`. */
  readonly notThis?: string;
  /** File names of this format; the first format that matches takes the file. */
  readonly fileName: RegExp;
  /** File names of such logs whose players have no SteamID64, as on consoles; no other log can identify them. */
  readonly withoutSteamIds?: RegExp;
  /** The schema of a stored state. */
  readonly state: z.ZodType<State>;
  open(options: ReaderOptions<State>): LogReader<State>;
  /** How to continue in a file that was emptied or replaced; left out: it is read from its start. */
  readonly recovery?: LogRecovery<State>;
}

export interface ReaderOptions<State> {
  zone: LocalZone;
  /** The state of an earlier reader of the file; null or left out: at its start. */
  state?: State | null;
  /** Length of the stored copy of a run in bytes; 0: none is stored. */
  knownBytes?: (header: string) => number;
  /** Called with each line that no rule matches. */
  onUnread?: (line: string) => void;
}

/** A function and not an iterator: logs have millions of events. */
export type OnEvent = (event: GameEvent) => void;

/** A part of a log. */
export interface LogBlock {
  bytes: Buffer;
  /** Left out: lines. */
  holds?: Block['holds'];
  /** For how long nothing had been written before its lines, which were written at once; left out: unknown. */
  quietMs?: number;
}

/** Reads a file block by block. */
export interface LogReader<State> {
  /** Lines read since it was opened, and those that no rule matched. */
  readonly lines: number;
  readonly unreadLines: number;
  /** The content so far: such a log, only blank lines that may precede one, or something else. */
  readonly content: 'log' | 'nothing' | 'other';
  /** The current run; null: none. While `run-started` and `run-ended` are passed on, the run that they belong to. */
  readonly run: RunRead | null;
  /** The time of the latest line, epoch milliseconds. */
  readonly lastEventAt: number | null;
  /** What came before the first header and counts nowhere; null or left out: nothing. */
  readonly headless?: HeadlessLines | null;
  /** Passes the events of a block on, in order. The other members may be used meanwhile, but not `read`. */
  read(block: LogBlock, onEvent: OnEvent): void;
  /** Ends the current run: no more of it will follow. */
  end(onEvent: OnEvent): void;
  /** The state to continue from later, as plain data; null: there is none. */
  state(): State | null;
}

/** The fields of every stored state. */
export interface ReaderState {
  header: string;
  lastSeenAt: number;
}

/** A run, as far as it was read. */
export interface RunRead {
  /** `2021-03-31 21:12:34`, the server's local time. */
  header: string;
  /** Of its lines so far, header included and carriage returns left out. */
  bytes: number;
  /** CRC-32 of these bytes, hex. */
  digest: string;
  /** Digest of its first `knownBytes` bytes; null: not asked for, or not read yet. */
  prefix: { bytes: number; digest: string } | null;
  startedAt: number;
  /** The latest moment of any line. */
  lastSeenAt: number;
  lines: number;
  unreadLines: number;
  /** Whether its lines show that the machine's clock is not in the zone. */
  isOffZone?: boolean;
}

/** Lines without a header. */
export interface HeadlessLines {
  bytes: number;
  /** The times of the first and the last line, `12:00:00`, by the clock of the log; null: no line has a time. */
  from: string | null;
  to: string | null;
}

/** How to continue in a file that starts without a header: the rest of a run, of which another file has the start. */
export interface LogRecovery<State> {
  /**
   * What a file starts with: a run header; a line of a run, perhaps after the end of one that was cut; too little to
   * decide; or something else. @param isAll whether `head` is the whole file
   */
  startsWith(head: Buffer, isAll: boolean): 'run' | 'line' | 'too-short' | 'other';
  /**
   * How long after the last line of the run of `state` a file starts that starts with a line; null: it does not continue
   * that run, because it starts earlier, or later than usual. @param isInSight whether the run's own file was seen when
   * it was emptied; the gap may then be longer
   */
  gapMs(state: State, head: Buffer, isInSight: boolean): number | null;
  /** The first time in it, `12:00:00`; null: there is none. */
  firstTime(head: Buffer): string | null;
  /** Whether the first line of such a file lacks its start. */
  isCutOff(line: Buffer): boolean;
  /** Whether an unfinished line can become the first line of such a log. */
  canBegin(line: Buffer): boolean;
}

/** The format whose file name matches; null: none. */
export function formatOf(formats: readonly LogFormat[], fileName: string): LogFormat | null {
  return formats.find((format) => format.fileName.test(fileName)) ?? null;
}

/** What owners know the files of formats by: `.ADM, .RPT or serverconsole.log`. */
export function namesOfFiles(formats: readonly LogFormat[], conjunction: 'and' | 'or'): string {
  const names = formats.map(({ files }) => files);
  const last = names.pop() ?? 'log';
  return names.length === 0 ? last : `${names.join(', ')} ${conjunction} ${last}`;
}

export function fileNamesOf(formats: readonly LogFormat[]): RegExp {
  return new RegExp(formats.map(({ fileName }) => `(?:${fileName.source})`).join('|') || '$^', 'i');
}
