import {
  type FileEdges,
  type FileMarks,
  type FileStat,
  hasMarks,
  markRanges,
  marksOf,
  PortFile,
  readEdges,
} from 'game-files';
import { derivations } from '../../../store/repositories/logs/derivations.ts';
import { freshMs } from '../../../store/repositories/logs/log-age.ts';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import { SourceError, fileErrorCode } from '../../../files/errors.ts';
import { type Block, type LogFormat, readBytes } from 'dayz-files';
import { storedCheckpoint } from './checkpoint.ts';
import type { FollowContext } from './follow-context.ts';
import type { LogCounter } from '../reading/log-counter.ts';
import { isSameStamp, sizeOfStamp, timeOfStamp } from '../reading/log-stamp.ts';
import type { MissingInFile } from '../reading/missing-lines.ts';
import { headOf } from '../reading/read-rest.ts';

/** A log that was seen this lately and only grew is the same file: another one is shorter at first. */
const sameFileMs = 30_000;

const lineFeed = 0x0a;

/** A followed file: how far it was read, how it is recognised, and its stored state. */
export class FollowedFile {
  readonly #context: FollowContext;
  path: string;
  position: number;
  /** Whether the position is in a line that is too long to be read. */
  skipping: boolean;
  /** What it was known by at the position of the latest `mark`. */
  marks: FileMarks | null;
  /** The file's size and time when it was read to its end. */
  stamp: string;
  /** Its state as passed to the writer; null: nothing was passed on yet. */
  stored: LogFile | null;
  /** Lines counted before it was emptied or replaced. */
  #before: Lines = { lines: 0, unreadLines: 0 };
  /** Null: nothing of it was read by this process. */
  #edges: FileEdges | null = null;
  /** When it was last read to its end, by the monotonic clock. */
  #atEndAt = Number.NEGATIVE_INFINITY;

  /** @param marks of what was read of it; null: it is read from its start */
  constructor(context: FollowContext, path: string, stored: LogFile | null, marks: FileMarks | null) {
    this.#context = context;
    this.path = path;
    this.stamp = stored?.stamp ?? '';
    this.stored = stored;
    this.position = marks === null ? 0 : (stored?.position ?? 0);
    this.skipping = marks !== null && stored?.skipping === true;
    this.marks = marks;
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
  async open(): Promise<PortFile> {
    const position = this.marks?.position ?? 0;
    const ranges = position === 0 ? [{ offset: 0, length: 0 }] : markRanges(position);
    const last = ranges.at(-1);
    if (last !== undefined) last.length += readBytes;
    return await PortFile.open(this.#context.port, this.path, ranges);
  }

  /** Opens the file at a poll: one that only grew since it was read to its end is compared by its latest bytes alone. */
  async openAtPoll(stat: FileStat): Promise<PortFile> {
    const edges = this.#edges;
    const hasOnlyGrown =
      this.wasAtEndWithin(sameFileMs) &&
      stat.size >= sizeOfStamp(this.stamp) &&
      (stat.changedAt ?? Number.POSITIVE_INFINITY) >= (timeOfStamp(this.stamp) ?? 0);
    const isAtEdges = edges !== null && edges.position === (this.marks?.position ?? 0);
    const grown =
      hasOnlyGrown && isAtEdges ? await PortFile.reopen(this.#context.port, this.path, edges) : null;
    return grown ?? (await this.open());
  }

  /** Whether an opened file has what was read of this one; false: nothing was. */
  async isSame(file: PortFile): Promise<boolean> {
    return this.marks !== null && (await hasMarks(file, this.marks));
  }

  /** Whether a file is this one with another name, or a copy of it. */
  async isCopiedIn(path: string): Promise<boolean> {
    if (this.marks === null) return false;
    return await this.isSame(await PortFile.open(this.#context.port, path, markRanges(this.marks.position)));
  }

  /** Whether another file has its name now, or none. */
  async hasLostName(recovery: LogFormat['recovery']): Promise<boolean> {
    try {
      const file = await this.open();
      if (await this.isSame(file)) return false;
      return recovery === undefined || recovery.startsWith(...(await headOf(file))) === 'run';
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return true;
      throw error;
    }
  }

  /** Reading continues behind a block. */
  advance(block: Block): void {
    this.position = block.end;
    this.skipping = block.holds === 'part-of-line' && block.bytes.at(-1) !== lineFeed;
  }

  /** Remembers what it is known by at the position. @throws SourceError when it is shorter now */
  async mark(file: PortFile): Promise<void> {
    this.#edges = await readEdges(file, this.position);
    if (this.#edges === null) throw new SourceError(this.path, 'was cut while it was read');
    this.marks = { ...marksOf(this.#edges), identity: file.stat.identity };
  }

  /** It was read to its end. @param stamp its state then; default: as before */
  atEnd(stamp = this.stamp): void {
    this.stamp = stamp;
    this.#atEndAt = this.#context.monotonic();
  }

  /** It is read again from its start. Lines that are counted from here on are its own. */
  restart(counter: LogCounter): void {
    this.#before = linesOf(counter);
    counter.countUnreadAnew();
    this.position = 0;
    this.skipping = false;
    this.marks = null;
  }

  rename(path: string): void {
    this.path = path;
    this.stamp = '';
    if (this.stored !== null) this.stored = { ...this.stored, path };
  }

  /**
   * The state to be stored, with what was counted up to the position.
   * @param stamp the state in which it was read to its end; empty: there is more to read
   */
  stateWith(counter: LogCounter, missing: MissingInFile, stamp: string): LogFile {
    const { path, position, skipping, marks } = this;
    const left = counter.state();
    return {
      path,
      stamp,
      position,
      skipping,
      marks,
      ...linesSince(this.#before, counter),
      unreadKinds: counter.unreadKinds,
      lastEventAt: counter.lastEventAt,
      checkpoint: left && storedCheckpoint({ ...left, timezone: this.#context.timezone }),
      missing: missing.all(counter),
      versions: {
        counts: derivations.counts,
        // Reading again for identities happens separately from following, which does not know its state.
        identities: this.stored === null ? derivations.identities : 0,
      },
    };
  }
}

interface Lines {
  lines: number;
  unreadLines: number;
}

export const linesOf = ({ lines, unreadLines }: Lines): Lines => ({ lines, unreadLines });

export const linesSince = (before: Lines, { lines, unreadLines }: Lines): Lines => ({
  lines: lines - before.lines,
  unreadLines: unreadLines - before.unreadLines,
});
