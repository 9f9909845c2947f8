import { basename } from 'node:path';
import type { FileMarks, FileStat, PortFile } from 'game-files';
import { ageOfFollowed, freshMs } from '../../../store/repositories/logs/log-age.ts';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import { type LogFormat, readBlocks, readBytes } from 'dayz-files';
import type { FollowContext } from './follow-context.ts';
import { FileStart } from './file-start.ts';
import type { FolderFile } from '../reading/folder-listing.ts';
import { FollowedFile, linesOf, linesSince } from './followed-file.ts';
import type { LogFolderReport } from './log-folder-report.ts';
import { LogCounter, type CounterState } from '../reading/log-counter.ts';
import { logStamp, timeOfStamp } from '../reading/log-stamp.ts';
import { headlessProblem, missingIn } from '../reading/missing-lines.ts';
import { readRest } from '../reading/read-rest.ts';
import { isIncomplete, stateToGoOn } from './resume-file.ts';

/** How much of a file to read between two transactions. */
const partBytes = 1024 * 1024;

/**
 * Follows one file of a server's logs from its stored position, and passes what it reads to the writer together with
 * the new position. After any error, discard the follower and create another one from the store.
 */
export class LogFollower {
  /** Consecutive polls without changes. */
  quietPolls = 0;
  /** Whether it was read to its end and nothing more is expected. */
  isFinished = false;
  readonly format: LogFormat;
  readonly file: FollowedFile;
  readonly #context: FollowContext;
  readonly #counter: LogCounter;
  readonly #start: FileStart;
  /** Lines counted up to the latest part that was passed on. */
  #reported: Pick<LogFile, 'lines' | 'unreadLines'>;
  #countedAt = Number.NEGATIVE_INFINITY;
  /** Bytes that were read and not yet passed on. */
  #unstored = 0;
  #hasRestarted = false;
  /** Of a file that continues another one and was not read yet: the unfinished last line of that. */
  #unfinishedBefore: Buffer | null = null;
  /** Whether the file ends in an unfinished line that cannot be part of such a log. */
  #hasForeignTail = false;
  /** For how long nothing was written before what is read next; 0: unknown. */
  #quietMs = 0;
  /** Whether the next lines are history: of a file that is read again, or by `FollowContext.isHistory`. */
  #isHistory: boolean;

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
    const { zone, forgotten } = context;
    const isToBeReadAgain = stored !== null && left === null && isIncomplete(format, stored);
    const file = new FollowedFile(context, path, stored, left?.marks ?? null);
    if (isToBeReadAgain) file.stamp = '';
    const counter = new LogCounter(format, { zone, forgotten, left: left?.state ?? null, isFollowed: true });
    this.format = format;
    this.#context = context;
    this.file = file;
    this.#counter = counter;
    this.#reported = linesOf(counter);
    this.#start = new FileStart(context, format, counter, { stored, isContinued: left !== null });
    this.#isHistory = isToBeReadAgain || context.isHistory;
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
   * @param report receives what was read, and messages for the owner
   * @param folder the files of the folder; some may be copies made before this file was emptied
   * @throws any error that prevents reading the file or writing the store
   */
  async poll(
    stat: FileStat,
    report: LogFolderReport,
    folder: () => Promise<readonly FolderFile[]>,
    signal?: AbortSignal,
  ): Promise<void> {
    const stamp = logStamp(stat);
    // A file that is no such log is read at each poll: it may have been replaced by one of the same size.
    if (this.file.isUnchanged(stamp) && !this.isForeign) {
      this.quietPolls += 1;
      this.#isHistory = false;
      this.file.atEnd();
      if (this.#counter.isBehind) await this.#passOn(report, null, stamp, true);
      return;
    }
    this.#quietMs = this.#quietMsUntil(stat);
    const file = await this.file.openAtPoll(stat);
    if (!(await this.#begin(file, folder, report))) {
      if (this.#counter.isBehind) await this.#passOn(report, null, stamp, true);
      return;
    }
    const wasQuiet = this.quietPolls > 0;
    const isUnchanged = await this.#read(file, async () => {
      if (this.#unstored >= partBytes) {
        // Without the stamp, because there is more to read.
        await this.#passOn(report, file, '', false);
        await this.#context.writer.storeAndGoOn();
      }
      const name = basename(this.file.path);
      this.#context.onProgress({ name, bytesDone: this.file.position, bytesTotal: stat.size });
      return signal?.aborted !== true;
    });
    this.quietPolls = isUnchanged ? this.quietPolls + 1 : 0;
    // After a pause, another pause is likely. Counting open sessions then would take a transaction of its own.
    if (this.#unstored > 0 || this.#hasRestarted)
      await this.#passOn(report, file, stamp, wasQuiet || undefined);
    this.#remark(report, this.#start.missing.report(this.#counter));
    if (signal?.aborted !== true) {
      this.#isHistory = false;
      this.file.atEnd(stamp);
    }
  }

  /** Reads the file's unfinished last line, since no more will follow, and ends the run. */
  async finish(report: LogFolderReport): Promise<void> {
    this.isFinished = true;
    const file = await this.file.open();
    if (!(await this.file.isSame(file))) return;
    await this.#read(file, async () => true, true);
    this.#remark(report, this.#start.missing.restart(this.#counter));
    if (this.format.holds === 'runs') this.#counter.restart();
    await this.#passOn(report, file, logStamp(file.stat), true);
  }

  /**
   * Reads whole lines to the end of the file, as long as `more` returns true.
   * @param toTheEnd whether to include an unfinished last line
   * @returns whether there was nothing to read
   */
  async #read(file: PortFile, more: () => Promise<boolean>, toTheEnd = false): Promise<boolean> {
    const { position, skipping } = this.file;
    const { recovery } = this.format;
    this.#hasForeignTail = false;
    const unfinished = this.#unfinishedBefore;
    this.#unfinishedBefore = null;
    const blocks =
      unfinished === null ? readBlocks(file, { position, skipping }) : readRest(file, unfinished, recovery);
    for await (const block of blocks) {
      if (block.holds === 'unfinished-line' && !toTheEnd) {
        this.#hasForeignTail =
          recovery !== undefined && this.#counter.state() === null && !recovery.canBegin(block.bytes);
        break;
      }
      this.#counter.read({ ...block, quietMs: this.#quietMs });
      this.#quietMs = 0;
      this.#unstored += block.bytes.length;
      this.file.advance(block);
      if (!(await more())) break;
    }
    return this.file.position === position;
  }

  /** 0: what the file grew by may have been written at any time since. */
  #quietMsUntil({ changedAt, size }: FileStat): number {
    const { port, now } = this.#context;
    const before = timeOfStamp(this.file.stamp);
    const isOfNow =
      this.file.wasAtEndWithin(freshMs + 2 * port.pollEveryMs) && size - this.file.position < readBytes;
    if (!isOfNow || changedAt === null || before === null) return 0;
    return Math.min(changedAt - before, now() - (this.#counter.lastEventAt ?? 0));
  }

  /** @returns false if the file is too short to decide how to read it */
  async #begin(
    file: PortFile,
    folder: () => Promise<readonly FolderFile[]>,
    report: LogFolderReport,
  ): Promise<boolean> {
    const followed = this.file;
    const isOther = followed.marks !== null && !(await followed.isSame(file));
    const begun = await this.#start.decide({ followed, file, isOther, folder });
    if (begun === 'go-on' || begun === 'wait') return begun === 'go-on';
    this.#remark(report, begun.remarks);
    this.#unfinishedBefore = begun.unfinished;
    this.#hasRestarted = true;
    followed.restart(this.#counter);
    return true;
  }

  /**
   * Passes what was counted to the writer, together with the position. The writer stores it if that is enough for a
   * transaction.
   * @param file null: nothing of it was read since the latest call
   * @param stamp the state in which it was read to its end; empty: there is more to read
   * @param whole whether to count open sessions up to the last seen moment; default: every 30 seconds
   */
  async #passOn(
    report: LogFolderReport,
    file: PortFile | null,
    stamp: string,
    whole?: boolean,
  ): Promise<void> {
    const context = this.#context;
    const counter = this.#counter;
    if (file !== null) await this.file.mark(file);
    const { path, wasJustRead, stored: previous } = this.file;
    const { age, rosterAge } = ageOfFollowed({
      lastEventAt: counter.lastEventAt,
      now: context.now(),
      pollEveryMs: context.port.pollEveryMs,
      wasJustRead,
      isHistory: this.#isHistory,
    });
    const countsAll = whole ?? context.monotonic() - this.#countedAt >= countEveryMs;
    if (countsAll) this.#countedAt = context.monotonic();
    const counted = counter.take(countsAll);
    const now = this.file.stateWith(counter, this.#start.missing, stamp);
    context.writer.add({
      fileName: basename(path),
      changes: counted,
      age,
      rosterAge,
      file: { now, previous },
      onStored: (header, outcome) => context.onStored(path, header, outcome),
    });
    this.file.stored = now;
    const { lines, unreadLines } = linesSince(this.#reported, counter);
    this.#reported = linesOf(counter);
    report.lines += lines;
    report.unreadLines += unreadLines;
    this.#unstored = 0;
    this.#hasRestarted = false;
    await context.writer.storeIfFull();
  }

  #remark(report: LogFolderReport, remarks: readonly string[]): void {
    report.remarks.push(...remarks.map((remark) => `${basename(this.file.path)} ${remark}`));
  }
}

/** How often open sessions are counted up to the last seen moment while the log grows at each poll. */
const countEveryMs = 30_000;
