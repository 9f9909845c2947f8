import { basename } from 'node:path';
import type { Clock } from '../../../process/clock.ts';
import type { Database } from '../../store/database.ts';
import { forgetLogFiles, type LogFile, readLogFiles, renameLogFile } from '../../store/log-files.ts';
import { latestHeader, noRuns, type RunOutcome } from '../../store/run-copies.ts';
import { findOwnServer } from '../../store/servers.ts';
import type { FilePort } from '../files/file-port.ts';
import { FolderListing, isNewer, type FolderFile } from './folder-listing.ts';
import { LocalZone } from './local-clock.ts';
import { requireFormats } from './log-files.ts';
import { LogFollower } from './log-follower.ts';
import type { FollowContext } from './follow-context.ts';
import { readFinished, readingProblem } from './finished-logs.ts';
import { fileNamesOf, formatOf, type LogFormat, type LogFormats } from './log-format.ts';
import { LogHealing } from './log-healing.ts';
import { LogWriter } from './log-writer.ts';
import { createProgressReport, type ReadProgress } from './read-progress.ts';

/** What a poll of a server's folder of logs has brought. */
export interface LogFolderReport {
  serverId: string;
  runs: Record<RunOutcome, number>;
  lines: number;
  unreadLines: number;
  /** What happened to files that their owner may want to know. */
  remarks: string[];
}

export interface LogFolderChanges {
  /** Null: nothing is new. */
  report: LogFolderReport | null;
  /** What could not be read, and why. */
  problems: string[];
}

export interface LogFolderOptions {
  serverId: string;
  folder: string;
  formats: LogFormats;
  clock: Clock;
  /** Called now and then while much is read. */
  onProgress: (progress: ReadProgress) => void;
}

/** What one poll works with. */
interface Poll {
  listing: FolderListing;
  stored: Map<string, LogFile>;
  context: FollowContext;
  report: LogFolderReport;
  signal: AbortSignal | undefined;
}

/** A file that has stood still for so many polls while another is being written is finished. */
const pollsUntilFinished = 5;

/**
 * Follows the logs of one server: the newest file of each format, and whatever else grows, line by line; what lies there
 * finished is read once, to its end. A file is known by its beginning and by where it was left, whatever its name.
 */
export class LogFolder {
  readonly #db: Database;
  readonly #port: FilePort;
  readonly #options: LogFolderOptions;
  readonly #followers = new Map<string, LogFollower>();
  readonly #newest = new Map<LogFormat, FolderFile>();
  /** Why files could not be read that are not followed; each is tried again at a full poll. */
  readonly #refused = new Map<string, string>();
  /** Followed files that could not be read at the latest poll; each is tried again at the next. */
  readonly #troubled = new Map<string, string>();
  /** The files as the store knows them; null: to be read from there. */
  #stored: Map<string, LogFile> | null = null;
  /** With what its followers work; null: to be made anew. */
  #context: FollowContext | null = null;
  /** What became of each run at this poll: a followed one is stored again and again, the first time says what it was. */
  readonly #outcomes = new Map<string, RunOutcome>();
  #formats: readonly LogFormat[] = [];
  readonly #healing: LogHealing;
  readonly #onProgress: (progress: ReadProgress) => void;

  constructor(db: Database, port: FilePort, options: LogFolderOptions) {
    this.#db = db;
    this.#port = port;
    this.#options = options;
    this.#healing = new LogHealing(db, options.serverId);
    this.#onProgress = createProgressReport(options.clock.monotonic, options.onProgress);
  }

  /**
   * Reads and stores what is new.
   * @param full whether to look at every file, and not only at those that are followed or were not there before
   * @throws when the folder cannot be read or the store not be written; a later poll makes up for it
   */
  async poll(full: boolean, signal?: AbortSignal): Promise<LogFolderChanges> {
    const { serverId, folder } = this.#options;
    const server = await findOwnServer(this.#db, serverId);
    this.#formats = requireFormats(this.#options.formats, server.game);
    const isWhole = full || this.#stored === null;
    const wanted = isWhole ? 'all' : [...this.#followers.keys(), ...this.#troubled.keys()];
    const listing = await FolderListing.load(this.#port, folder, fileNamesOf(this.#formats), wanted);
    const report = { serverId, runs: noRuns(), lines: 0, unreadLines: 0, remarks: [] };
    // Where its followers stand was computed in another zone.
    if (this.#context?.timezone !== server.timezone) this.#forgetState();
    this.#context ??= this.#newContext(server);
    this.#outcomes.clear();
    try {
      await this.#pollFiles(listing, this.#context, full, report, signal);
    } catch (error) {
      // What is in memory may be ahead of the store.
      this.#forgetState();
      throw error;
    }
    for (const outcome of this.#outcomes.values()) report.runs[outcome] += 1;
    const problems = [...this.#refused.values(), ...this.#troubled.values()];
    if (listing.paths.length === 0 && (this.#stored?.size ?? 0) > 0)
      problems.push('no log lies in it any more');
    const hasChanges = Object.values(report.runs).some((count) => count > 0) || report.lines > 0;
    return { report: hasChanges || report.remarks.length > 0 ? report : null, problems };
  }

  #newContext({ projectId, timezone }: { projectId: string; timezone: string }): FollowContext {
    const { serverId, clock } = this.#options;
    return {
      db: this.#db,
      writer: new LogWriter(this.#db, { serverId, projectId, timezone, now: clock.now }),
      port: this.#port,
      serverId,
      projectId,
      timezone,
      zone: new LocalZone(timezone),
      monotonic: clock.monotonic,
      onProgress: this.#onProgress,
      onStored: (path, header, outcome) => {
        const key = JSON.stringify([path, header]);
        if (this.#outcomes.get(key) !== 'new') this.#outcomes.set(key, outcome);
      },
    };
  }

  #forgetState(): void {
    this.#context = null;
    this.#followers.clear();
    this.#stored = null;
    this.#healing.restart();
  }

  async #pollFiles(
    listing: FolderListing,
    context: FollowContext,
    full: boolean,
    report: LogFolderReport,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const isFirst = this.#stored === null;
    const stored = (this.#stored ??= await readLogFiles(this.#db, context.serverId));
    const poll: Poll = { listing, stored, context, report, signal };
    if (isFirst) await this.#followOpenRuns(poll);
    if (full) this.#refused.clear();
    await this.#adoptRenamed(poll);
    const { finished, growing } = await this.#filesToRead(poll, full || isFirst);
    for (const { path } of growing) {
      this.#followers.set(
        path,
        await LogFollower.open(context, this.#formatOf(path), path, stored.get(path) ?? null),
      );
    }
    await this.#readFinished(poll, finished);
    await this.#pollFollowed(poll);
    await context.writer.finish();
    if (signal?.aborted === true) return;
    if (full) await this.#forgetGone(poll);
    report.remarks.push(...(await this.#heal(poll)));
  }

  /** Follows those files on in which something was left open. */
  async #followOpenRuns({ context, stored }: Poll): Promise<void> {
    const latest = this.#latestOfIdentities(stored);
    for (const [path, file] of stored) {
      const format = formatOf(this.#formats, basename(path));
      if (file.checkpoint === null || format === null) continue;
      if (format.holds === 'identities' && !latest.has(path)) continue;
      this.#followers.set(path, await LogFollower.open(context, format, path, file));
    }
  }

  /** Of the logs of identities that were read, the one of each format that was written last: it may have been renamed. */
  #latestOfIdentities(stored: ReadonlyMap<string, LogFile>): Set<string> {
    const latest = new Map<LogFormat, { path: string; changedAt: number }>();
    for (const [path, { stamp }] of stored) {
      const format = formatOf(this.#formats, basename(path));
      if (format?.holds !== 'identities') continue;
      const changedAt = Number(stamp.split(' ')[1] ?? 0);
      if (changedAt >= (latest.get(format)?.changedAt ?? 0)) latest.set(format, { path, changedAt });
    }
    return new Set(Array.from(latest.values(), ({ path }) => path));
  }

  #isUnknown(path: string, stored: ReadonlyMap<string, LogFile>): boolean {
    return !this.#followers.has(path) && !stored.has(path) && !this.#refused.has(path);
  }

  /** Rotation gives the file that is followed another name; it is read on where it was left. */
  async #adoptRenamed({ listing, stored, context, report }: Poll): Promise<void> {
    for (const path of listing.paths.filter((path) => this.#isUnknown(path, stored))) {
      const format = this.#formatOf(path);
      for (const follower of this.#followers.values()) {
        const { path: former } = follower;
        if (follower.format !== format || !(await follower.isCopiedIn(path).catch(() => false))) continue;
        if (!(await follower.hasLostName())) continue;
        await renameLogFile(this.#db, context.serverId, former, path);
        this.#followers.delete(former);
        stored.delete(former);
        follower.rename(path);
        this.#followers.set(path, follower);
        if (follower.stored !== null) stored.set(path, follower.stored);
        report.remarks.push(`${basename(former)} is called ${basename(path)} now; it is read on`);
        break;
      }
    }
  }

  /** The one place that decides whether a file has changed, and how it is to be read. */
  async #filesToRead(
    { listing, stored }: Poll,
    all: boolean,
  ): Promise<{ finished: FolderFile[]; growing: FolderFile[] }> {
    const paths = all ? listing.paths : listing.paths.filter((path) => this.#isUnknown(path, stored));
    const files = await listing.files(paths);
    this.#findNewest(files, all);
    const changed = files.filter(({ path, stamp }) => stored.get(path)?.stamp !== stamp);
    const troubled = await listing.files([...this.#troubled.keys()]);
    this.#troubled.clear();
    const toRead = new Map(
      [...this.#newest.values(), ...changed, ...troubled]
        .filter(({ path }) => !this.#followers.has(path) && !this.#refused.has(path))
        .map((file) => [file.path, file]),
    );
    const finished: FolderFile[] = [];
    const growing: FolderFile[] = [];
    for (const [path, file] of toRead) {
      const isNewest = this.#newest.get(this.#formatOf(path))?.path === path;
      if (stored.has(path) || isNewest) growing.push(file);
      else finished.push(file);
    }
    return { finished, growing };
  }

  #findNewest(files: readonly FolderFile[], all: boolean): void {
    if (all) this.#newest.clear();
    for (const file of files) {
      const format = this.#formatOf(file.path);
      const newest = this.#newest.get(format);
      if (newest === undefined || isNewer(file, newest)) this.#newest.set(format, file);
    }
  }

  async #readFinished(
    { context, stored, report, signal }: Poll,
    files: readonly FolderFile[],
    { identitiesOnly = false } = {},
  ): Promise<string[]> {
    const options = { formats: this.#formats, stored, identitiesOnly, signal };
    const result = await readFinished(context, files, options);
    for (const [path, problem] of result.refused) this.#refused.set(path, problem);
    for (const file of result.read) if (!identitiesOnly) stored.set(file.path, file);
    report.lines += result.lines;
    report.unreadLines += result.unreadLines;
    report.runs.known += result.unchangedRuns;
    return result.read.map(({ path }) => path);
  }

  async #pollFollowed({ listing, stored, report, signal }: Poll): Promise<void> {
    const { paths } = listing;
    const logs = paths.filter((path) => this.#formatOf(path).holds === 'runs');
    for (const follower of this.#followers.values()) {
      if (signal?.aborted === true) return;
      const { path } = follower;
      try {
        const changes = (await this.#isFinished(follower))
          ? await follower.finish()
          : await follower.poll(await listing.statOf(path), logs, signal);
        report.lines += changes.lines;
        report.unreadLines += changes.unreadLines;
        report.remarks.push(...changes.remarks.map((remark) => `${basename(path)} ${remark}`));
        if (follower.stored !== null) stored.set(path, follower.stored);
        if (follower.isForeign) this.#refused.set(path, `${path}: ${follower.format.notThis}`);
        else this.#refused.delete(path);
        if (follower.isFinished) this.#followers.delete(path);
      } catch (error) {
        const problem = readingProblem(path, error);
        if (problem === null) throw error;
        // It may be ahead of what was handed to the writer.
        this.#followers.delete(path);
        if (follower.stored !== null) stored.set(path, follower.stored);
        // A file that is gone, perhaps under another name, is no problem of its own.
        if (paths.includes(path)) this.#troubled.set(path, problem);
      }
    }
  }

  /** Whether nothing more will come to a file: another one is being written, and a later run has begun. */
  async #isFinished(follower: LogFollower): Promise<boolean> {
    if (follower.quietPolls < pollsUntilFinished || follower.isForeign) return false;
    if (this.#newest.get(follower.format)?.path === follower.path) return false;
    if (follower.format.holds === 'identities' || follower.header === null) return true;
    const latest = await latestHeader(this.#db, this.#options.serverId);
    return latest !== null && latest > follower.header;
  }

  async #forgetGone({ listing: { paths }, stored, context }: Poll): Promise<void> {
    // With nothing left the folder is rather away than tidied up.
    if (paths.length === 0) return;
    const gone = [...stored.keys()].filter((path) => !paths.includes(path));
    await forgetLogFiles(this.#db, context.serverId, gone);
    for (const path of gone) {
      stored.delete(path);
      this.#followers.delete(path);
      this.#refused.delete(path);
    }
  }

  async #heal(poll: Poll): Promise<string[]> {
    const { listing, stored, context } = poll;
    const readAgain = async (paths: readonly string[], identitiesOnly: boolean): Promise<string[]> => {
      const read = await this.#readFinished(poll, await listing.files(paths), { identitiesOnly });
      await context.writer.finish();
      return read;
    };
    return await this.#healing.step({
      isLeft: (path) => listing.paths.includes(path) && !this.#refused.has(path),
      holdsRuns: (path) => this.#formatOf(path).holds === 'runs',
      isFollowed: (path) => this.#followers.has(path) || (stored.get(path)?.checkpoint ?? null) !== null,
      sizeOf: (path) => stored.get(path)?.position ?? 0,
      count: async (paths) => await readAgain(paths, false),
      identify: async (paths) => await readAgain(paths, true),
      signal: poll.signal,
    });
  }

  /** Of a file that is listed, which one of them takes. */
  #formatOf(path: string): LogFormat {
    return formatOf(this.#formats, basename(path)) as LogFormat;
  }
}
