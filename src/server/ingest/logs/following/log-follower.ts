import { basename } from 'node:path';
import { type LogFormat, readBlocks, readBytes } from 'dayz-files';
import type { FileStat, OpenedFile } from 'game-files';
import { ageOfFollowed, freshMs } from '../../../store/repositories/logs/log-age.ts';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import { knownRuns } from '../../../store/repositories/logs/run-copies.ts';
import { Roster } from '../../counting/roster.ts';
import { LogCounter } from '../reading/log-counter.ts';
import { logStamp, timeOfStamp } from '../reading/log-stamp.ts';
import { findRest } from '../reading/read-log.ts';
import type { FollowContext } from './follow-context.ts';
import { FollowedFile } from './followed-file.ts';
import type { LogFolderReport } from './log-folder-report.ts';

/**
 * Follows one file of a server's logs: reads it from its start, then what is new at each poll, and passes what it counts to the
 * writer. What it has counted is in memory alone. After any error, discard it and create another one.
 */
export class LogFollower {
  /** Consecutive polls without changes. */
  quietPolls = 0;
  /** Whether it was read to its end and nothing more is expected. */
  isFinished = false;
  readonly format: LogFormat;
  readonly file: FollowedFile;
  readonly #context: FollowContext;
  /** Null: nothing was read yet. */
  #counter: LogCounter | null = null;
  /** Whether the file is too short to tell how it starts. */
  #isUndecided = false;
  /** The file's state in which nothing of it counts yet: it is too short, or names no player. Empty: there was none. */
  #nothingIn = '';
  /** Lines of the file that were reported, by this process or one before. */
  #reported: Pick<LogFile, 'lines' | 'unreadLines'>;
  #countedAt = Number.NEGATIVE_INFINITY;
  /** Whether the file ends in an unfinished line that cannot be part of such a log. */
  #hasForeignTail = false;
  /** Whether nothing was passed on yet by this process of a file that another one has read. */
  #isReadAgain: boolean;
  /** Whether the next lines are history (`FollowContext.isHistory`). */
  #isHistory: boolean;

  /** @param stored the file's stored state; null: it was never read */
  constructor(context: FollowContext, format: LogFormat, path: string, stored: LogFile | null) {
    this.format = format;
    this.#context = context;
    this.file = new FollowedFile(context, path, stored);
    this.#isHistory = context.isHistory;
    this.#isReadAgain = stored !== null;
    this.#reported = stored ?? { lines: 0, unreadLines: 0 };
  }

  /** Header of the current run. */
  get header(): string | null {
    return this.#counter?.header ?? null;
  }

  /** Why nothing of the file counts, for the owner; null: it counts. */
  get problem(): string | null {
    return this.isForeign ? (this.format.mismatch ?? 'cannot be read') : null;
  }

  /** Whether the file is not such a log. */
  get isForeign(): boolean {
    return this.#hasForeignTail || this.#counter?.content === 'other';
  }

  /**
   * Reads what is new since the last poll.
   * @param stat the file's state
   * @param report receives what was read, and messages for the owner
   * @throws any error that prevents reading the file or writing the store
   */
  async poll(stat: FileStat, report: LogFolderReport, signal?: AbortSignal): Promise<void> {
    const stamp = logStamp(stat);
    // A file that is no such log is read at each poll: it may have been replaced by one of the same size.
    if (this.file.isUnchanged(stamp) && !this.isForeign) {
      this.quietPolls += 1;
      this.#isHistory = false;
      this.file.atEnd();
      await this.#countOpenSessions(report, stamp);
      return;
    }
    if (stamp === this.#nothingIn) return;
    let quietMs = this.#quietMsUntil(stat);
    const file = await this.file.openAtPoll(stat);
    const { position: before } = this.file;
    const counter = await this.#counterOf(file, report);
    if (counter === null) {
      await this.#countOpenSessions(report, '');
      this.#nothingIn = stamp;
      return;
    }
    this.#nothingIn = '';
    const { position } = this.file;
    this.#hasForeignTail = false;
    for await (const block of readBlocks(file, this.file)) {
      if (block.holds === 'unfinished-line') {
        this.#hasForeignTail = counter.header === null && this.format.starts?.canBegin(block.bytes) === false;
        break;
      }
      counter.read({ ...block, quietMs });
      quietMs = 0;
      this.file.advance(block);
      const name = basename(this.file.path);
      this.#context.onProgress({ name, bytesDone: this.file.position, bytesTotal: stat.size });
      if (signal?.aborted === true) break;
    }
    const wasQuiet = this.quietPolls > 0;
    const isUnchanged = this.file.position === position;
    this.quietPolls = isUnchanged ? this.quietPolls + 1 : 0;
    const isAtEnd = signal?.aborted !== true;
    // At an earlier poll it grew between its listing and its reading, so that no stamp was known for what was read.
    const hasNewStamp = this.file.stored?.stamp === '' && this.file.position === stat.size && !this.isForeign;
    // After a pause, another pause is likely. Counting open sessions then would take a transaction of its own.
    if (!isUnchanged || position !== before || hasNewStamp)
      await this.#passOn(counter, report, {
        file,
        stamp: isAtEnd ? stamp : '',
        whole: wasQuiet || undefined,
      });
    if (!isAtEnd) return;
    this.#isHistory = false;
    this.file.atEnd(stamp);
  }

  /** Reads the file's unfinished last line, since no more will follow, and ends the run. */
  async finish(report: LogFolderReport): Promise<void> {
    this.isFinished = true;
    const counter = this.#counter;
    const file = await this.file.open();
    if (counter === null || !(await this.file.isSame(file))) return;
    for await (const block of readBlocks(file, this.file)) {
      counter.read(block);
      this.file.advance(block);
    }
    counter.end();
    await this.#passOn(counter, report, { file, stamp: logStamp(file.stat), whole: true });
  }

  /** 0: what the file grew by may have been written at any time since. */
  #quietMsUntil({ changedAt, size }: FileStat): number {
    const { files, now } = this.#context;
    const before = timeOfStamp(this.file.stamp);
    const isOfNow =
      this.file.wasAtEndWithin(freshMs + 2 * files.pollEveryMs) && size - this.file.position < readBytes;
    if (!isOfNow || changedAt === null || before === null) return 0;
    return Math.min(changedAt - before, now() - (this.#counter?.lastEventAt ?? 0));
  }

  /** What counts the file from its position on; null: it is too short to tell how to read it. */
  async #counterOf(file: OpenedFile, report: LogFolderReport): Promise<LogCounter | null> {
    const isSame = await this.file.isSame(file);
    if (isSame && !this.#isUndecided) return this.#counter;
    const { zone, db, serverId, now } = this.#context;
    const rest = await findRest(this.format, file, {
      zone,
      changedAt: file.stat.changedAt ?? now(),
      countedUntil: this.file.stored?.lastEventAt ?? null,
      known: async () => await knownRuns(db, serverId),
    });
    const before = this.#counter;
    if (rest === 'nobody' || (rest === 'too-short' && before !== null)) return isSame ? before : null;
    this.#isUndecided = rest === 'too-short';
    let roster: Roster | null = null;
    if (before !== null && !isSame) {
      if (rest === null) before.end();
      else roster = before.endForRest();
      const how =
        rest === null
          ? 'was replaced; reading it from the start'
          : 'was emptied while the game was writing it; what follows counts as a run of its own';
      report.remarks.push(`${basename(this.file.path)} ${how}`);
      await this.#passOn(before, report, { file: null, stamp: '', whole: true });
    }
    if (before !== null) this.#reported = { lines: 0, unreadLines: 0 };
    this.file.restart();
    return (this.#counter = new LogCounter(this.format, {
      zone,
      forgotten: this.#context.forgotten,
      rest: rest === 'too-short' ? null : rest,
      roster: roster ?? new Roster(),
    }));
  }

  async #countOpenSessions(report: LogFolderReport, stamp: string): Promise<void> {
    if (this.#counter?.isBehind === true)
      await this.#passOn(this.#counter, report, { file: null, stamp, whole: true });
  }

  /**
   * Passes what was counted to the writer.
   * @param read `file`: null if nothing of it was read since the latest call; `stamp`: its state if it was read to its end, else
   * empty; `whole`: whether to count open sessions up to the last seen moment, by default every 30 seconds
   */
  async #passOn(
    counter: LogCounter,
    report: LogFolderReport,
    read: { file: OpenedFile | null; stamp: string; whole: boolean | undefined },
  ): Promise<void> {
    const { writer, now, files, monotonic, onStored } = this.#context;
    if (read.file !== null) await this.file.mark(read.file);
    const { path, wasJustRead } = this.file;
    const { age, rosterAge } = ageOfFollowed({
      lastEventAt: counter.lastEventAt,
      now: now(),
      pollEveryMs: files.pollEveryMs,
      wasJustRead: wasJustRead && !this.#isReadAgain,
      isHistory: this.#isHistory,
    });
    const countsAll = read.whole ?? monotonic() - this.#countedAt >= countEveryMs;
    if (countsAll) this.#countedAt = monotonic();
    const changes = counter.take(countsAll);
    this.#isReadAgain = false;
    // A start reads the file again from which not everything is stored.
    const state = this.file.stateWith(counter, counter.isBehind || this.isForeign ? '' : read.stamp);
    await writer.add({
      changes,
      age,
      rosterAge,
      file: state,
      onStored: (header, outcome) => {
        if (outcome !== 'known') onStored(path, header, outcome);
      },
    });
    const { lines, unreadLines } = state;
    report.lines += Math.max(0, lines - this.#reported.lines);
    report.unreadLines += Math.max(0, unreadLines - this.#reported.unreadLines);
    this.#reported = { lines, unreadLines };
  }
}

/** How often open sessions are counted up to the last seen moment while the log grows at each poll. */
const countEveryMs = 30_000;
