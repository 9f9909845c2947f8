import {
  type FileEdges,
  type FileMarks,
  type FileStat,
  hasMarks,
  markRanges,
  marksOf,
  OpenedFile,
  readEdges,
} from 'game-files';
import { freshMs } from '../../../store/repositories/logs/log-age.ts';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import { SourceError } from '../../../files/errors.ts';
import { type Block, readBytes } from 'dayz-files';
import type { FollowContext } from './follow-context.ts';
import type { LogCounter } from '../reading/log-counter.ts';
import { isSameStamp, sizeOfStamp, timeOfStamp } from '../reading/log-stamp.ts';

/** A log that was seen this lately and only grew is the same file: another one is shorter at first. */
const sameFileMs = 30_000;

const lineFeed = 0x0a;

/** A followed file: how far it was read, and how it is recognised. */
export class FollowedFile {
  readonly #context: FollowContext;
  readonly path: string;
  position = 0;
  /** Whether the position is in a line that is too long to be read. */
  skipping = false;
  /** What it was known by at the position of the latest `mark`; null: it is read from its start. */
  marks: FileMarks | null = null;
  /** The file's size and time when it was read to its end; empty: it was not. */
  stamp = '';
  /** Its state as passed to the writer, by this process or one before; null: nothing was. */
  stored: LogFile | null;
  /** Null: nothing of it was read by this process. */
  #edges: FileEdges | null = null;
  /** When it was last read to its end, by the monotonic clock. */
  #atEndAt = Number.NEGATIVE_INFINITY;

  constructor(context: FollowContext, path: string, stored: LogFile | null) {
    this.#context = context;
    this.path = path;
    this.stored = stored;
  }

  /** Whether it had been read to its end just before. */
  get wasJustRead(): boolean {
    return this.wasAtEndWithin(freshMs);
  }

  wasAtEndWithin(ms: number): boolean {
    return this.#context.monotonic() - this.#atEndAt <= ms;
  }

  /** Whether it is in the state in which it was read to its end. */
  isUnchanged(stamp: string): boolean {
    return isSameStamp(stamp, this.stamp);
  }

  /** With the parts that identify it, and what follows the position. */
  async open(): Promise<OpenedFile> {
    const position = this.marks?.position ?? 0;
    const ranges = position === 0 ? [{ offset: 0, length: 0 }] : markRanges(position);
    const last = ranges.at(-1);
    if (last !== undefined) last.length += readBytes;
    return await OpenedFile.open(this.#context.files, this.path, ranges);
  }

  /** Opens the file at a poll: one that only grew since it was read to its end is compared by its latest bytes alone. */
  async openAtPoll(stat: FileStat): Promise<OpenedFile> {
    const edges = this.#edges;
    const hasOnlyGrown =
      this.wasAtEndWithin(sameFileMs) &&
      stat.size >= sizeOfStamp(this.stamp) &&
      (stat.changedAt ?? Number.POSITIVE_INFINITY) >= (timeOfStamp(this.stamp) ?? 0);
    const isAtEdges = edges !== null && edges.position === (this.marks?.position ?? 0);
    const grown =
      hasOnlyGrown && isAtEdges ? await OpenedFile.reopen(this.#context.files, this.path, edges) : null;
    return grown ?? (await this.open());
  }

  /** Whether an opened file has what was read of this one; false: nothing was. */
  async isSame(file: OpenedFile): Promise<boolean> {
    return this.marks !== null && (await hasMarks(file, this.marks));
  }

  /** Reading continues behind a block. */
  advance(block: Block): void {
    this.position = block.end;
    this.skipping = block.holds === 'part-of-line' && block.bytes.at(-1) !== lineFeed;
  }

  /** Remembers what it is known by at the position. @throws SourceError when it is shorter now */
  async mark(file: OpenedFile): Promise<void> {
    this.#edges = await readEdges(file, this.position);
    if (this.#edges === null) throw new SourceError(this.path, 'was cut while it was read');
    this.marks = { ...marksOf(this.#edges), identity: file.stat.identity };
  }

  /** It was read to its end. @param stamp its state then; default: as before */
  atEnd(stamp = this.stamp): void {
    this.stamp = stamp;
    this.#atEndAt = this.#context.monotonic();
  }

  /** It is read from its start. */
  restart(): void {
    this.position = 0;
    this.skipping = false;
    this.marks = null;
    this.#edges = null;
  }

  /**
   * The state to be stored, with what was counted up to the position.
   * @param stamp the state in which all of it was counted; empty: there is more
   */
  stateWith(counter: LogCounter, stamp: string): LogFile {
    const { path, position, marks } = this;
    const isWhole = sizeOfStamp(stamp) === position;
    this.stored = { path, stamp: isWhole ? stamp : '', position, marks, ...counter.summary };
    return this.stored;
  }
}
