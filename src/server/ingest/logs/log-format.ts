import type * as z from 'zod';
import type { RunCopy } from '../../store/run-copies.ts';
import type { GameEvent } from '../counting/events.ts';
import type { Block } from '../files/blocks.ts';
import type { LocalZone } from './local-clock.ts';

/**
 * A kind of file that a game server writes. A game registers its formats in `games/index.ts`; the pipeline reads them:
 * blocks → events → tally → one transaction that stores what was read and how far.
 */
export interface LogFormat<State extends ReaderState = ReaderState> {
  /** Names the format in the code and in reports. */
  readonly name: string;
  /** `runs`: events that are counted, run by run. `identities`: only who is who. */
  readonly holds: 'runs' | 'identities';
  /** What a file of another content lacks: `is not a DayZ admin log: …`. */
  readonly notThis?: string;
  /** What to say to an owner whose folder has no such file, and what to do about it. */
  readonly missing?: { found: string; next: string };
  /** File names of this format; the first format of a game that matches takes the file. */
  readonly fileName: RegExp;
  /** What a stored state must look like to be gone on with. */
  readonly state: z.ZodType<State>;
  open(options: ReaderOptions<State>): LogReader<State>;
  /** How to go on in a file that was emptied or replaced; left out: it is read from its start. */
  readonly recovery?: LogRecovery<State>;
}

export interface ReaderOptions<State> {
  zone: LocalZone;
  /** Where an earlier reader of the file stood; null: at its start. */
  state: State | null;
  /** How long the known copy of a run is, bytes; 0: none is known. */
  knownBytes?: (header: string) => number;
  /** Called with each line that no rule knows. */
  onUnread?: (line: string) => void;
}

export type LogBlock = Pick<Block, 'bytes' | 'lines' | 'unfinished'>;

/** Reads a file block by block. */
export interface LogReader<State> {
  /** Lines read since it was opened, and those of them that no rule knows. */
  readonly lines: number;
  readonly unreadLines: number;
  /** What was read so far: such a log, only blank lines with which one may begin, or something else. */
  readonly content: 'log' | 'nothing' | 'other';
  /** The run under way; null: none. While `run-started` and `run-ended` are handed over, the run that they are of. */
  readonly run: RunRead | null;
  /** The latest moment that a line named, epoch milliseconds. */
  readonly lastEventAt: number | null;
  /** The events of a block in their order. Everything else may be asked between them, but `read` only after the last. */
  read(block: LogBlock): Iterable<GameEvent>;
  /** Ends the run under way: nothing more of it will come. */
  end(): Iterable<GameEvent>;
  /** Where to go on later, as plain data; null: there is nothing to go on with. */
  state(): State | null;
}

/** What every stored state says. */
export interface ReaderState {
  header: string;
  lastSeenAt: number;
}

/** A run as far as it was read. */
export interface RunRead extends RunCopy {
  /** `2021-03-31 21:12:34`, the server's local time. */
  header: string;
  startedAt: number;
  /** The latest moment of any line. */
  lastSeenAt: number;
  lines: number;
  unreadLines: number;
  /** Whether its lines show that the machine's clock is not in the zone. */
  isOffZone?: boolean;
}

export interface LogRecovery<State> {
  /** How a file begins: with a run, with a line of one, or with too little to tell. @param isAll whether `head` is all */
  beginning(head: Buffer, isAll: boolean): 'run' | 'line' | 'too-short';
  /** Whether a file whose run began in what is gone goes on where `state` stood. */
  follows(head: Buffer, isAll: boolean, state: State): boolean;
  /** Whether a line that has not ended can become one with which a log begins. */
  canBegin(line: Buffer): boolean;
}

/** The formats of the files of a game by its GameDig type; empty: its logs cannot be read. */
export type LogFormats = (game: string) => readonly LogFormat[];

/** The format that takes a file; null: none of them does. */
export function formatOf(formats: readonly LogFormat[], fileName: string): LogFormat | null {
  return formats.find((format) => format.fileName.test(fileName)) ?? null;
}

/** File names that one of the formats takes. */
export function fileNamesOf(formats: readonly LogFormat[]): RegExp {
  return new RegExp(formats.map(({ fileName }) => `(?:${fileName.source})`).join('|') || '$^', 'i');
}
