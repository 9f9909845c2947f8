import {
  type FileAccess,
  type FileEdges,
  type FileMarks,
  type FileRange,
  type FileStat,
  hasMarks,
  markRanges,
  marksOf,
  OpenedFile,
  readEdges,
} from 'game-files';
import { type Block, readBytes } from 'dayz-files';
import { SourceError } from '../../../files/errors.ts';
import { isSameStamp, sizeOfStamp, timeOfStamp } from '../reading/log-stamp.ts';

/** A log that was read to its end this lately and only grew is the same file: another one is shorter at first. */
const sameFileMs = 30_000;

const lineFeed = 0x0a;

/** Opens a file to read it from its start: its first bytes come with the same request. */
export async function openWhole(files: FileAccess, path: string): Promise<OpenedFile> {
  return await OpenedFile.open(files, path, [{ offset: 0, length: readBytes }]);
}

/**
 * A followed file: how far it was read, and how it is recognised. At a poll
 * - `stamp` says without opening it that nothing has changed;
 * - `#edges`, its first bytes and the last ones before the position, tell quickly that it only grew since it was last at its end;
 * - `marks`, digests of the same bytes, tell in any other case whether it is the same file (`isSame`).
 */
export class FollowedFile {
  readonly #files: FileAccess;
  readonly #monotonic: () => number;
  readonly path: string;
  /** Up to where it was counted, in bytes. */
  position = 0;
  /** Whether the position is in a line that is too long to be read. */
  skipping = false;
  /** Made by the latest `mark`, of the position at that time (`marks.position`); null: it is read from its start. */
  marks: FileMarks | null = null;
  /** The file's size and time when it was read to its end; empty: it was not. */
  stamp = '';
  /** The bytes of the marks; null: this process has read nothing of it. */
  #edges: FileEdges | null = null;
  /** When it was last read to its end, by the monotonic clock. */
  #atEndAt = Number.NEGATIVE_INFINITY;

  constructor(path: string, files: FileAccess, monotonic: () => number) {
    this.path = path;
    this.#files = files;
    this.#monotonic = monotonic;
  }

  wasAtEndWithin(ms: number): boolean {
    return this.#monotonic() - this.#atEndAt <= ms;
  }

  isUnchanged(stamp: string): boolean {
    return isSameStamp(stamp, this.stamp);
  }

  /** Opens it with the parts that identify it, and what follows the position. */
  async open(): Promise<OpenedFile> {
    if (this.position === 0 || this.marks === null) return await openWhole(this.#files, this.path);
    const [head, before] = markRanges(this.marks.position) as [FileRange, FileRange];
    const next = { ...before, length: before.length + readBytes };
    return await OpenedFile.open(this.#files, this.path, [head, next]);
  }

  /** Opens the file at a poll: one that only grew since it was read to its end is compared by its latest bytes alone. */
  async openAtPoll(stat: FileStat): Promise<OpenedFile> {
    const hasOnlyGrown =
      this.wasAtEndWithin(sameFileMs) &&
      stat.size >= sizeOfStamp(this.stamp) &&
      (stat.changedAt ?? Number.POSITIVE_INFINITY) >= (timeOfStamp(this.stamp) ?? 0);
    const edges = hasOnlyGrown ? this.#edges : null;
    const grown = edges && (await OpenedFile.reopen(this.#files, this.path, edges));
    return grown ?? (await this.open());
  }

  /** Whether an opened file has what was read of this one; false: nothing was. */
  async isSame(file: OpenedFile): Promise<boolean> {
    return this.marks !== null && (await hasMarks(file, this.marks));
  }

  /** Moves the position behind a block that was read. */
  advance(block: Block): void {
    this.position = block.end;
    this.skipping = block.kind === 'part-of-line' && block.bytes.at(-1) !== lineFeed;
  }

  /** Remembers what it is known by at the position. @throws SourceError when it is shorter now */
  async mark(file: OpenedFile): Promise<void> {
    this.#edges = await readEdges(file, this.position);
    if (this.#edges === null) throw new SourceError(this.path, 'was cut while it was read');
    this.marks = { ...marksOf(this.#edges), identity: file.stat.identity };
  }

  /** Remembers that it was read to its end just now. @param stamp its state then; default: as before */
  noteAtEnd(stamp = this.stamp): void {
    this.stamp = stamp;
    this.#atEndAt = this.#monotonic();
  }

  /** Reading begins at its start again. */
  restart(): void {
    this.position = 0;
    this.skipping = false;
    this.marks = null;
    this.#edges = null;
  }
}
