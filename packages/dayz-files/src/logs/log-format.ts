import type { GameEvent } from './events.ts';
import type { Block } from './blocks.ts';
import type { LocalZone } from './local-zone.ts';
import type { LogRest, RestRun } from './log-rest.ts';

/** A kind of log that a game server writes: which files are of it, and what reads them. */
export interface LogFormat {
  /** The format's name in code and reports. */
  readonly name: string;
  /** `runs`: what happened on the server, run by run. `identities`: only which ids and names belong together. */
  readonly holds: 'runs' | 'identities';
  /** What owners know its files by: `.ADM`. */
  readonly files: string;
  /** The error about a file that has the name of this format and the content of another: `is not a DayZ admin log: …`. */
  readonly mismatch?: string;
  /** File names of this format; the first format that matches takes the file. */
  readonly fileName: RegExp;
  /** File names of such logs whose players have no SteamID64, as on consoles; no other log can identify them. */
  readonly withoutSteamIds?: RegExp;
  open(options: ReaderOptions): LogReader;
  /** Tells how a file of runs starts; left out: the format has no runs. */
  readonly starts?: LogStarts;
}

export interface ReaderOptions {
  zone: LocalZone;
  /** For a rest, a log whose header a tool has cut: the run of its first lines. Null or left out: they count nowhere. */
  rest?: RestRun | null;
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
  kind?: Block['kind'];
  /** For how long nothing had been written before its lines, which were written at once; left out: unknown. */
  quietMs?: number;
}

/** Reads a file block by block. */
export interface LogReader {
  /** Lines read since it was opened, and those that no rule matched. */
  readonly lines: number;
  readonly unreadLines: number;
  /** The content so far: such a log, only blank lines that may precede one, or something else. */
  readonly content: 'log' | 'nothing' | 'other';
  /** The current run; null: none. While `run-started` and `run-ended` are passed on, the run that they belong to. */
  readonly run: RunRead | null;
  /** The time of the latest line, epoch milliseconds. */
  readonly lastEventAt: number | null;
  /** Passes the events of a block on, in order. The other members may be used meanwhile, but not `read`. */
  read(block: LogBlock, onEvent: OnEvent): void;
  /** Ends the current run: no more of it will follow. */
  end(onEvent: OnEvent): void;
}

/** A run, as far as it was read. */
export interface RunRead {
  /** `2021-03-31 21:12:34`, the server's local time. */
  header: string;
  /** What the run is the rest of; null: it has a header. */
  rest: RestRun | null;
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
  isOffZone: boolean;
}

/** How the files of a log with runs start. */
export interface LogStarts {
  /**
   * What a file starts with: a run header; a line of a run whose header another file has, or had; too little to decide; or
   * something else. @param isAll whether `head` is the whole file
   */
  startsWith(head: Buffer, isAll: boolean): 'run' | 'rest' | 'too-short' | 'other';
  /** Reads a file that starts with a line of a run. Null: no player is in it yet, so nothing of it counts. */
  readRest(blocks: AsyncIterable<Block>): Promise<LogRest | null>;
  /** Whether an unfinished line can become the first line of such a log. */
  canBegin(line: Buffer): boolean;
}

/** The format whose file name matches; null: none. */
export function formatOf(formats: readonly LogFormat[], fileName: string): LogFormat | null {
  return formats.find((format) => format.fileName.test(fileName)) ?? null;
}

/** What owners know the files of formats by: `.ADM, .RPT or serverconsole.log`. */
export function namesOfFiles(formats: readonly LogFormat[], conjunction: 'and' | 'or'): string {
  const type = conjunction === 'and' ? 'conjunction' : 'disjunction';
  return new Intl.ListFormat('en-GB', { type }).format(formats.map(({ files }) => files));
}

export function fileNamesOf(formats: readonly LogFormat[]): RegExp {
  return new RegExp(formats.map(({ fileName }) => `(?:${fileName.source})`).join('|') || '$^', 'i');
}
