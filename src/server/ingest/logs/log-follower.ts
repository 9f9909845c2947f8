import { basename } from 'node:path';
import { derivations } from '../../store/logs/derivations.ts';
import type { LogFile } from '../../store/logs/log-files.ts';
import { fileErrorCode, SourceError } from '../errors.ts';
import { readBlocks } from '../files/blocks.ts';
import { type FileMarks, hasMarks, markRanges } from '../files/file-marks.ts';
import type { FileStat } from '../files/file-port.ts';
import { PortFile } from '../files/port-file.ts';
import { storedCheckpoint } from './checkpoint.ts';
import type { FollowContext } from './follow-context.ts';
import { FileStart } from './file-start.ts';
import type { FolderFile } from './folder-listing.ts';
import { FollowedFile } from './followed-file.ts';
import type { LogFormat } from './log-format.ts';
import { isJustNow, justNowMs, rosterAge } from './log-age.ts';
import { LogCounter, type CounterState } from './log-counter.ts';
import { isSameStamp, logStamp } from './log-stamp.ts';
import { headlessProblem, missingIn } from './missing-lines.ts';
import { headOf, readRest } from './read-rest.ts';
import { isIncomplete, stateToGoOn } from './resume-file.ts';

/** The result of polling a followed file. */
export interface FollowedChanges {
  lines: number;
  unreadLines: number;
  /** Messages for the owner about the file. */
  remarks: string[];
}

/** How much of a file is read between two transactions. */
const partBytes = 4 * 1024 * 1024;
/**
 * How often open sessions are counted up to the last seen moment. They are also counted whenever the log stops
 * growing.
 */
const countEveryMs = 30_000;

/**
 * Follows one file of a server's logs from its stored position, and passes what it reads to the writer together with
 * the new position. After any error, discard the follower and create another one from the store.
 */
export class LogFollower {
  path: string;
  /** Consecutive polls without changes. */
  quietPolls = 0;
  /** Whether it was read to its end and nothing more is expected. */
  isFinished = false;
  readonly format: LogFormat;
  readonly #context: FollowContext;
  readonly #counter: LogCounter;
  readonly #file: FollowedFile;
  /** The file's state as passed to the writer; null: nothing was passed on yet. */
  #stored: LogFile | null;
  #marks: FileMarks | null;
  #position: number;
  #skipping: boolean;
  /** Bytes that were read and not yet passed on. */
  #unstored = 0;
  #hasRestarted = false;
  readonly #start: FileStart;
  /** Of a file that continues another one and was not read yet: the unfinished last line of that. */
  #unfinishedBefore: Buffer | null = null;
  /** Lines read before the file was emptied or replaced. */
  #linesBefore = { lines: 0, unreadLines: 0 };
  /** Lines read up to the latest part that was passed on. */
  #reported: { lines: number; unreadLines: number };
  /** Whether the file ends in an unfinished line that cannot be part of such a log. */
  #hasForeignTail = false;
  /** Whether the next lines are history: of a file that is read again, or by `FollowContext.isHistory`. */
  #isPast: boolean;
  /** The file's size and time at the latest poll. */
  #stamp: string;
  #countedAt = Number.NEGATIVE_INFINITY;
  /** When the file was last read to its end, by the monotonic clock. */
  #atEndAt = Number.NEGATIVE_INFINITY;

  /** @param stored the file's stored state, from which it continues if possible (`stateToGoOn`) */
  static async open(
    context: FollowContext,
    format: LogFormat,
    path: string,
    stored: LogFile | null,
  ): Promise<LogFollower> {
    const left = stored === null ? null : await stateToGoOn(context, format, path, stored);
    return new LogFollower(context, format, path, stored, left);
  }

  private constructor(
    context: FollowContext,
    format: LogFormat,
    path: string,
    stored: LogFile | null,
    left: { state: CounterState; marks: FileMarks } | null,
  ) {
    this.#context = context;
    this.#file = new FollowedFile(context.port);
    this.format = format;
    this.path = path;
    this.#stored = stored;
    this.#position = left === null ? 0 : (stored?.position ?? 0);
    this.#skipping = left === null ? false : (stored?.skipping ?? false);
    this.#marks = left?.marks ?? null;
    const isToBeReadAgain = stored !== null && left === null && isIncomplete(format, stored);
    this.#isPast = isToBeReadAgain || context.isHistory;
    this.#stamp = isToBeReadAgain ? '' : (stored?.stamp ?? '');
    const { zone, forgotten } = context;
    const options = { zone, forgotten, left: left?.state ?? null, isFollowed: true };
    this.#counter = new LogCounter(format, options);
    this.#start = new FileStart(context, format, this.#counter, { stored, isContinued: left !== null });
    this.#reported = { lines: this.#counter.lines, unreadLines: this.#counter.unreadLines };
  }

  /** The file's state as passed to the writer. */
  get stored(): LogFile | null {
    return this.#stored;
  }

  /** Header of the current run. */
  get header(): string | null {
    return this.#counter.header;
  }

  /** Whether the file is not such a log. */
  get isForeign(): boolean {
    return this.#hasForeignTail || (this.#counter.content === 'other' && !this.#isHeadless);
  }

  /** Why nothing of the file counts, for the owner; null: it counts. */
  get problem(): string | null {
    if (this.isForeign) return this.format.notThis ?? 'cannot be read';
    return this.#isHeadless ? headlessProblem : null;
  }

  get #isHeadless(): boolean {
    return this.#counter.content === 'other' && missingIn(this.#counter.headless).length > 0;
  }

  /**
   * Reads what is new since the last poll.
   * @param stat the file's state
   * @param folder the files of the folder; some may be copies made before this file was emptied
   * @throws any error that prevents reading the file or writing the store
   */
  async poll(
    stat: FileStat,
    folder: () => Promise<readonly FolderFile[]>,
    signal?: AbortSignal,
  ): Promise<FollowedChanges> {
    const changes = noChanges();
    const stamp = logStamp(stat);
    // A file that is no such log is read at each poll: it may have been replaced by one of the same size.
    if (isSameStamp(stamp, this.#stamp) && !this.isForeign) {
      this.quietPolls += 1;
      this.#isPast = false;
      this.#atEndAt = this.#context.monotonic();
      if (this.#counter.isBehind) await this.#handOver(changes, null, stamp, true);
      return changes;
    }
    const seen = { stamp: this.#stamp, agoMs: this.#context.monotonic() - this.#atEndAt };
    const file = await this.#file.openAtPoll(this.path, this.#marks?.position ?? 0, stat, seen);
    if (!(await this.#begin(file, folder, changes))) {
      if (this.#counter.isBehind) await this.#handOver(changes, null, stamp, true);
      return changes;
    }
    const isUnchanged = await this.#read(file, async () => {
      if (this.#unstored >= partBytes) {
        // Without the stamp, because there is more to read.
        await this.#handOver(changes, file, '', false);
        await this.#context.writer.storeAndGoOn();
      }
      const name = basename(this.path);
      this.#context.onProgress({ name, bytesDone: this.#position, bytesTotal: stat.size });
      return signal?.aborted !== true;
    });
    this.quietPolls = isUnchanged ? this.quietPolls + 1 : 0;
    if (this.#unstored > 0 || this.#hasRestarted) await this.#handOver(changes, file, stamp);
    changes.remarks.push(...this.#start.missing.report(this.#counter));
    if (signal?.aborted !== true) {
      this.#stamp = stamp;
      this.#isPast = false;
      this.#atEndAt = this.#context.monotonic();
    }
    return changes;
  }

  /** Whether a file is this one with another name, or a copy of it. */
  async isCopiedIn(path: string): Promise<boolean> {
    if (this.#marks === null) return false;
    const file = await PortFile.open(this.#context.port, path, markRanges(this.#marks.position));
    return await hasMarks(file, this.#marks);
  }

  /** Whether another file has its name now, or none. */
  async hasLostName(): Promise<boolean> {
    try {
      const file = await this.#open(this.path);
      if (this.#marks !== null && (await hasMarks(file, this.#marks))) return false;
      const { recovery } = this.format;
      return recovery === undefined || recovery.startsWith(...(await headOf(file))) === 'run';
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return true;
      throw error;
    }
  }

  /** Continues with another name. */
  rename(path: string): void {
    this.path = path;
    if (this.#stored !== null) this.#stored = { ...this.#stored, path };
    this.#stamp = '';
  }

  /** Reads the file's unfinished last line, since no more will follow, and ends the run. */
  async finish(): Promise<FollowedChanges> {
    const changes = noChanges();
    this.isFinished = true;
    const file = await this.#open(this.path);
    if (this.#marks === null || !(await hasMarks(file, this.#marks))) return changes;
    await this.#read(file, async () => true, true);
    changes.remarks.push(...this.#start.missing.restart(this.#counter));
    if (this.format.holds === 'runs') this.#counter.restart();
    await this.#handOver(changes, file, logStamp(file.stat), true);
    return changes;
  }

  async #open(path: string): Promise<PortFile> {
    return await this.#file.open(path, this.#marks?.position ?? 0);
  }

  /**
   * Reads whole lines to the end of the file, as long as `more` returns true.
   * @param toTheEnd whether to include an unfinished last line
   * @returns whether there was nothing to read
   */
  async #read(file: PortFile, more: () => Promise<boolean>, toTheEnd = false): Promise<boolean> {
    const from = this.#position;
    this.#hasForeignTail = false;
    const start = { position: from, skipping: this.#skipping };
    const unfinished = this.#unfinishedBefore;
    this.#unfinishedBefore = null;
    const blocks =
      unfinished === null ? readBlocks(file, start) : readRest(file, unfinished, this.format.recovery);
    for await (const block of blocks) {
      if (block.unfinished && !toTheEnd) {
        const { recovery } = this.format;
        this.#hasForeignTail =
          recovery !== undefined && this.#counter.state() === null && !recovery.canBegin(block.bytes);
        break;
      }
      this.#counter.read(block);
      this.#unstored += block.bytes.length;
      this.#position = block.end;
      this.#skipping = !block.lines && block.bytes.at(-1) !== lineFeed;
      if (!(await more())) break;
    }
    return this.#position === from;
  }

  /** @returns false if the file is too short to decide how to read it */
  async #begin(
    file: PortFile,
    folder: () => Promise<readonly FolderFile[]>,
    changes: FollowedChanges,
  ): Promise<boolean> {
    const marks = this.#marks;
    const begun = await this.#start.decide({
      path: this.path,
      file,
      marks,
      skipping: this.#skipping,
      stamp: this.#stamp,
      isOther: marks !== null && !(await hasMarks(file, marks)),
      wasJustRead: this.#wasJustRead(),
      folder,
    });
    if (begun === 'go-on' || begun === 'wait') return begun === 'go-on';
    changes.remarks.push(...begun.remarks);
    this.#unfinishedBefore = begun.unfinished;
    this.#linesBefore = { lines: this.#counter.lines, unreadLines: this.#counter.unreadLines };
    this.#position = 0;
    this.#skipping = false;
    this.#marks = null;
    this.#hasRestarted = true;
    return true;
  }

  #wasJustRead(): boolean {
    return this.#context.monotonic() - this.#atEndAt <= justNowMs;
  }

  /** Passes what was read to the writer, which stores it if that is enough for a transaction. */
  async #handOver(
    changes: FollowedChanges,
    source: PortFile | null,
    stamp: string,
    whole = this.#context.monotonic() - this.#countedAt >= countEveryMs,
  ): Promise<void> {
    if (whole) this.#countedAt = this.#context.monotonic();
    if (source !== null) {
      const marks = await this.#file.marksAt(source, this.#position);
      if (marks === null) throw new SourceError(this.path, 'was cut while it was read');
      this.#marks = { ...marks, identity: source.stat.identity };
    }
    const { writer, timezone, onStored } = this.#context;
    const counter = this.#counter;
    const wasJustRead = this.#wasJustRead();
    const part = counter.take(whole);
    const left = counter.state();
    const { path } = this;
    const file: LogFile = {
      path,
      stamp,
      position: this.#position,
      skipping: this.#skipping,
      marks: this.#marks,
      lines: counter.lines - this.#linesBefore.lines,
      unreadLines: counter.unreadLines - this.#linesBefore.unreadLines,
      examples: counter.examples,
      lastEventAt: counter.lastEventAt,
      checkpoint: left && storedCheckpoint({ ...left, timezone }),
      missing: this.#start.missing.all(counter),
      versions: {
        counts: derivations.counts,
        // Reading again for identities happens separately from following, which does not know its state.
        identities: this.#stored === null ? derivations.identities : 0,
      },
    };
    writer.add({
      fileName: basename(path),
      changes: part,
      isLive: !this.#isPast,
      isJustNow: isJustNow(this.#context, counter.lastEventAt, wasJustRead),
      file: { now: file, previous: this.#stored },
      rosterAge: rosterAge(this.#context, counter.lastEventAt, wasJustRead),
      onStored: (header, outcome) => onStored(path, header, outcome),
    });
    this.#unstored = 0;
    this.#hasRestarted = false;
    changes.lines += counter.lines - this.#reported.lines;
    changes.unreadLines += counter.unreadLines - this.#reported.unreadLines;
    this.#reported = { lines: counter.lines, unreadLines: counter.unreadLines };
    this.#stored = file;
    await writer.storeIfFull();
  }
}

const noChanges = (): FollowedChanges => ({ lines: 0, unreadLines: 0, remarks: [] });

const lineFeed = 0x0a;
