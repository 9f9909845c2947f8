import { basename } from 'node:path';
import { type LocalZone, type LogFormat, readBlocks, readBytes, type RestRun } from 'dayz-files';
import type { FileAccess, FileStat, OpenedFile } from 'game-files';
import type { Clock } from '../../../../process/clock.ts';
import type { Database } from '../../../store/engine/database.ts';
import { ageOfFollowed, freshMs } from '../../../store/repositories/logs/log-age.ts';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import { knownRuns } from '../../../store/repositories/logs/run-copies.ts';
import type { ForgottenList } from '../../../store/repositories/rights/forgotten-list.ts';
import { Roster } from '../../counting/roster.ts';
import { type FileStart, readFileStart } from '../reading/file-start.ts';
import type { FolderFile } from '../reading/folder-listing.ts';
import { LogCounter } from '../reading/log-counter.ts';
import { logStamp, sizeOfStamp, timeOfStamp } from '../reading/log-stamp.ts';
import type { LogWriter } from '../writing/log-writer.ts';
import { FollowedFile } from './followed-file.ts';
import type { LogFolderReport, ReadProgress } from './log-folder-report.ts';

/** What the followers of one server share. */
export interface FollowContext extends Clock {
  db: Database;
  writer: LogWriter;
  files: FileAccess;
  serverId: string;
  projectId: string;
  timezone: string;
  zone: LocalZone;
  /** The stored state of the server's files; receives the new one. */
  stored: Map<string, LogFile>;
  /** What the followers have counted agrees with this list. */
  forgotten: ForgottenList;
  onProgress: (progress: ReadProgress) => void;
}

/** What was read of the file since something was passed on. */
interface ReadState {
  /** Null: nothing. */
  opened: OpenedFile | null;
  /** The file's state if it was read to its end, else empty. */
  stamp: string;
  /** Whether to count open sessions up to the last seen moment; default true. */
  withOpenSessions?: boolean;
}

/** How often open sessions are counted up to the last seen moment while the log grows at each poll. */
const countEveryMs = 30_000;

/**
 * Follows one file of a server's logs: reads it from its start, then what is new at each poll, and passes what it counts to the
 * writer. What it has counted is in memory alone. After any error, discard it and create another one.
 *
 * At each poll, the file
 * - **has not changed** (`#stayQuiet`): only the sessions of those who are on are still counted, up to the last line;
 * - **has grown** (`#readOn`): it is read on from the position;
 * - **is another one**, or was emptied by a tool (`#endReplaced`, `#begin`): the run ends, or goes on as a rest, and the file is
 *   read from its start;
 * - **says nothing yet** (`#isUndecided`, `#silentStamp`): it is too short to tell how it starts, or a rest of it names nobody.
 *   Nothing of it counts;
 * - **is no such log** (`isForeign`): it is read from its start at each poll, as it may be replaced.
 */
export class LogFollower {
  readonly format: LogFormat;
  /** Consecutive polls without changes. */
  quietPolls = 0;
  readonly #context: FollowContext;
  readonly #file: FollowedFile;
  /** Counts the file from its start to the position; null: nothing was read yet. */
  #counter: LogCounter | null = null;
  /** Whether the file was too short to tell how it starts: the counter gets a successor once that is known. */
  #isUndecided = false;
  /** The stamp with which the file said nothing yet, so that it is not opened again until it changes; empty: none. */
  #silentStamp = '';
  /** Whether the file ends in an unfinished line that cannot be part of such a log. */
  #hasForeignTail = false;
  /** Whether the next lines are history: it was there before any log of the server was read, and was not read to its end since. */
  #isHistory: boolean;
  /** When open sessions were counted last, by the monotonic clock. */
  #countedAt = Number.NEGATIVE_INFINITY;
  /** Lines of the file that were reported, by this process or one before. */
  #reported: Pick<LogFile, 'lines' | 'unreadLines'>;

  constructor(context: FollowContext, { path, format }: FolderFile, isHistory: boolean) {
    this.format = format;
    this.#context = context;
    this.#file = new FollowedFile(path, context.files, context.monotonic);
    this.#isHistory = isHistory;
    this.#reported = context.stored.get(path) ?? { lines: 0, unreadLines: 0 };
  }

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
   * @throws any error that prevents reading the file or writing the store
   */
  async poll(stat: FileStat, report: LogFolderReport, signal?: AbortSignal): Promise<void> {
    const stamp = logStamp(stat);
    // One that is no such log may have been replaced by one of the same size.
    const isUnchanged = this.#file.isUnchanged(stamp) && !this.isForeign;
    if (isUnchanged) await this.#stayQuiet(stamp, report);
    else if (stamp !== this.#silentStamp) await this.#readNew(stat, report, signal);
  }

  /** Reads the file's unfinished last line, since no more will follow, and ends the run. */
  async finish(report: LogFolderReport): Promise<void> {
    const counter = this.#counter;
    const opened = await this.#file.open();
    if (counter === null || !(await this.#file.isSame(opened))) return;
    for await (const block of readBlocks(opened, this.#file)) {
      counter.read(block);
      this.#file.advance(block);
    }
    counter.end();
    await this.#passOn(counter, report, { opened, stamp: logStamp(opened.stat) });
  }

  async #stayQuiet(stamp: string, report: LogFolderReport): Promise<void> {
    this.quietPolls += 1;
    this.#isHistory = false;
    this.#file.noteAtEnd();
    await this.#countOpenSessions(report, stamp);
  }

  async #readNew(stat: FileStat, report: LogFolderReport, signal: AbortSignal | undefined): Promise<void> {
    const stamp = logStamp(stat);
    const quietMs = this.#quietMsUntil(stat);
    const opened = await this.#file.openAtPoll(stat);
    const { position: positionBefore } = this.#file;
    const counter = await this.#counterFor(opened, report);
    this.#silentStamp = counter === null ? stamp : '';
    if (counter === null) return await this.#countOpenSessions(report, '');
    const { position: readFrom } = this.#file;
    await this.#readOn(opened, counter, { quietMs, size: stat.size, signal });
    const { position } = this.#file;
    const isAtEnd = signal?.aborted !== true;
    const wasQuiet = this.quietPolls > 0;
    this.quietPolls = position === readFrom ? this.quietPolls + 1 : 0;
    const isRestarted = readFrom !== positionBefore;
    // At an earlier poll it grew between its listing and its reading, so that no stamp was known for what was read.
    const hasNewStamp =
      this.#context.stored.get(this.#file.path)?.stamp === '' && position === stat.size && !this.isForeign;
    if (position !== readFrom || isRestarted || hasNewStamp) {
      // After a pause, another pause is likely. Counting open sessions then would take a transaction of its own.
      const withOpenSessions = wasQuiet || this.#context.monotonic() - this.#countedAt >= countEveryMs;
      await this.#passOn(counter, report, { opened, stamp: isAtEnd ? stamp : '', withOpenSessions });
    }
    if (!isAtEnd) return;
    this.#isHistory = false;
    this.#file.noteAtEnd(stamp);
  }

  /** Counts what follows the position, up to the last complete line, or to the next block once the signal is aborted. */
  async #readOn(
    opened: OpenedFile,
    counter: LogCounter,
    { quietMs, size, signal }: { quietMs: number; size: number; signal: AbortSignal | undefined },
  ): Promise<void> {
    const name = basename(this.#file.path);
    let isFirst = true;
    this.#hasForeignTail = false;
    for await (const block of readBlocks(opened, this.#file)) {
      if (block.kind === 'unfinished-line') {
        this.#hasForeignTail = counter.header === null && this.format.starts?.canBegin(block.bytes) === false;
        return;
      }
      counter.read({ ...block, quietMs: isFirst ? quietMs : 0 });
      isFirst = false;
      this.#file.advance(block);
      this.#context.onProgress({ name, bytesDone: this.#file.position, bytesTotal: size });
      if (signal?.aborted === true) return;
    }
  }

  /** For how long nothing was written before what is new; 0: that may have been written at any time since the latest reading. */
  #quietMsUntil({ changedAt, size }: FileStat): number {
    const { files, now } = this.#context;
    const before = timeOfStamp(this.#file.stamp);
    const isJustWritten =
      this.#file.wasAtEndWithin(freshMs + 2 * files.pollEveryMs) && size - this.#file.position < readBytes;
    if (!isJustWritten || changedAt === null || before === null) return 0;
    return Math.min(changedAt - before, now() - (this.#counter?.lastEventAt ?? 0));
  }

  /** What counts an opened file from the position on: the present counter or, from its start, a new one. Null: it says nothing yet. */
  async #counterFor(opened: OpenedFile, report: LogFolderReport): Promise<LogCounter | null> {
    const current = this.#counter;
    const isSame = await this.#file.isSame(opened);
    if (isSame && !this.#isUndecided) return current;
    const { kind, rest } = await this.#readStart(opened);
    // The first reading takes a file that is too short, to tell whether its only line can be one of such a log.
    const saysNothing = kind === 'nobody' || (kind === 'too-short' && current !== null);
    if (saysNothing) return isSame ? current : null;
    this.#isUndecided = kind === 'too-short';
    const isReplaced = current !== null && !isSame;
    const whoIsOn = isReplaced ? await this.#endReplaced(current, kind === 'rest', report) : null;
    return this.#begin(rest, whoIsOn ?? new Roster());
  }

  async #readStart(opened: OpenedFile): Promise<FileStart> {
    const { zone, db, serverId, stored, now } = this.#context;
    return await readFileStart(this.format, opened, {
      zone,
      changedAt: opened.stat.changedAt ?? now(),
      countedUntil: stored.get(this.#file.path)?.lastEventAt ?? null,
      known: async () => await knownRuns(db, serverId),
    });
  }

  /** The file is read from its start. */
  #begin(rest: RestRun | null, roster: Roster): LogCounter {
    const { zone, forgotten } = this.#context;
    // What was reported before this process is in the stored state, of the same file.
    if (this.#counter !== null) this.#reported = { lines: 0, unreadLines: 0 };
    this.#file.restart();
    this.#counter = new LogCounter(this.format, { zone, forgotten, rest, roster });
    return this.#counter;
  }

  /** Ends the run of a file that is another one now. @returns who is on, if the run goes on as a rest; null: it does not */
  async #endReplaced(counter: LogCounter, isRest: boolean, report: LogFolderReport): Promise<Roster | null> {
    const roster = isRest ? counter.endForRest() : null;
    if (!isRest) counter.end();
    const how = isRest
      ? 'was emptied while the game was writing it; what follows counts as a run of its own'
      : 'was replaced; reading it from the start';
    report.remarks.push(`${basename(this.#file.path)} ${how}`);
    await this.#passOn(counter, report, { opened: null, stamp: '' });
    return roster;
  }

  /** Counts the sessions of those who are on up to the last line, unless that was done with it. */
  async #countOpenSessions(report: LogFolderReport, stamp: string): Promise<void> {
    if (this.#counter?.isBehind === true) await this.#passOn(this.#counter, report, { opened: null, stamp });
  }

  /** Passes what was counted to the writer. */
  async #passOn(
    counter: LogCounter,
    report: LogFolderReport,
    { opened, stamp, withOpenSessions = true }: ReadState,
  ): Promise<void> {
    const { writer, now, files, monotonic } = this.#context;
    if (opened !== null) await this.#file.mark(opened);
    const { path, position, marks } = this.#file;
    const { age, rosterAge } = ageOfFollowed({
      lastEventAt: counter.lastEventAt,
      now: now(),
      pollEveryMs: files.pollEveryMs,
      wasJustRead: this.#file.wasAtEndWithin(freshMs),
      isHistory: this.#isHistory,
    });
    if (withOpenSessions) this.#countedAt = monotonic();
    const changes = counter.take(withOpenSessions);
    // A start reads the file again from which not everything is stored.
    const isAllStored = !counter.isBehind && !this.isForeign && sizeOfStamp(stamp) === position;
    const file = { path, stamp: isAllStored ? stamp : '', position, marks, ...counter.summary };
    this.#context.stored.set(path, file);
    await writer.add({
      changes,
      age,
      rosterAge,
      file,
      onStored: (outcome) => {
        if (outcome !== 'known') report.runs[outcome] += 1;
      },
    });
    const { lines, unreadLines } = file;
    report.lines += Math.max(0, lines - this.#reported.lines);
    report.unreadLines += Math.max(0, unreadLines - this.#reported.unreadLines);
    this.#reported = { lines, unreadLines };
  }
}
