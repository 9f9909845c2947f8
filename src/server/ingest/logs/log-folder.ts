import { basename, join } from 'node:path';
import type { Database } from '../../store/database.ts';
import { derivations } from '../../store/derivations.ts';
import { latestHeader } from '../../store/followed-runs.ts';
import { readLogFiles, renameLogFile, saveReadFiles } from '../../store/log-files.ts';
import { findOwnServer } from '../../store/servers.ts';
import { importAdminLogs, type RunOutcome } from './admin-log-import.ts';
import type { Beginning } from './beginning.ts';
import { notAnAdminLog, SourceError, sourceProblem } from '../errors.ts';
import type { Clock } from '../../../process/clock.ts';
import { LocalZone } from './local-clock.ts';
import { isIdentityLog, kindOfLog, serverLog, type LogKind } from './log-files.ts';
import { type FollowContext, LogFollower, logStamp, type StoredLogFile } from './log-follower.ts';
import { FileError, type FilePort, type FileStat } from '../files/file-port.ts';
import { LogHealing } from './log-healing.ts';
import { createProgressReport, type ReadProgress } from './read-progress.ts';

/** What a look at a server's folder of logs has brought. */
export interface LogFolderReport {
  serverId: string;
  runs: Record<RunOutcome, number>;
  lines: number;
  unreadLines: number;
  /** What happened to files that their owner may want to know. */
  remarks: string[];
}

export interface LogFolderNews {
  /** Null: nothing is new. */
  report: LogFolderReport | null;
  /** What could not be read, and why. */
  problems: string[];
}

export interface LogFolderOptions {
  serverId: string;
  folder: string;
  clock: Clock;
  /** Called now and then while much is read. */
  onProgress: (progress: ReadProgress) => void;
}

interface FolderFile {
  path: string;
  stat: FileStat;
  stamp: string;
  changedAt: number;
}

/** More finished files than this are read whole, many in a transaction; fewer are followed to their end. */
const fewFiles = 10;
/** A file that has stood still for so many looks while another is being written is finished. */
const looksUntilFinished = 5;

/**
 * Follows the logs of one server: the newest file of each kind, and whatever else grows, line by line; what lies there
 * finished is read once. A file is known by its beginning and by where it was left, whatever its name.
 */
export class LogFolder {
  readonly #db: Database;
  readonly #port: FilePort;
  readonly #serverId: string;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #followers = new Map<string, LogFollower>();
  readonly #newest = new Map<LogKind, FolderFile>();
  /** Why files could not be read that are not followed; each is tried again at a full look. */
  readonly #refused = new Map<string, string>();
  /** Followed files that could not be read at the latest look; each is tried again at the next. */
  readonly #troubled = new Map<string, string>();
  /** The files as the store knows them; null: to be read from there. */
  #stored: Map<string, StoredLogFile> | null = null;
  #timezone = '';
  readonly #healing: LogHealing;
  readonly #onProgress: (progress: ReadProgress) => void;

  constructor(db: Database, port: FilePort, options: LogFolderOptions) {
    this.#db = db;
    this.#port = port;
    this.#serverId = options.serverId;
    this.#folder = options.folder;
    this.#clock = options.clock;
    this.#healing = new LogHealing(db, port, { serverId: options.serverId, now: options.clock.now });
    this.#onProgress = createProgressReport(options.clock.monotonic, options.onProgress);
  }

  /**
   * Reads and stores what is new.
   * @param full whether to look at every file, and not only at those that are followed or were not there before
   * @throws when the folder cannot be read or the store not be written; a later look makes up for it
   */
  async look(full: boolean, signal?: AbortSignal): Promise<LogFolderNews> {
    const report: LogFolderReport = {
      serverId: this.#serverId,
      runs: { new: 0, longer: 0, known: 0, diverged: 0 },
      lines: 0,
      unreadLines: 0,
      remarks: [],
    };
    const isWhole = full || this.#stored === null;
    const wanted = isWhole ? 'all' : [...this.#followers.keys(), ...this.#troubled.keys()];
    const listing = await FolderListing.load(this.#port, this.#folder, wanted);
    const { paths } = listing;
    try {
      await this.#readAll(listing, full, report, signal);
    } catch (error) {
      // What is in memory may be ahead of the store.
      this.#followers.clear();
      this.#stored = null;
      this.#healing.restart();
      throw error;
    }
    const problems = [...this.#refused.values(), ...this.#troubled.values()];
    if (paths.length === 0 && (this.#stored?.size ?? 0) > 0) problems.push('no log lies in it any more');
    const isNews = Object.values(report.runs).some((count) => count > 0) || report.lines > 0;
    return { report: isNews || report.remarks.length > 0 ? report : null, problems };
  }

  async #readAll(
    listing: FolderListing,
    full: boolean,
    report: LogFolderReport,
    signal?: AbortSignal,
  ): Promise<void> {
    const { paths } = listing;
    const { projectId, timezone } = await findOwnServer(this.#db, this.#serverId);
    const context: FollowContext = {
      db: this.#db,
      files: this.#port,
      serverId: this.#serverId,
      projectId,
      timezone,
      zone: new LocalZone(timezone),
      ...this.#clock,
      onProgress: this.#onProgress,
    };
    if (timezone !== this.#timezone) {
      // Where its followers stand was computed in another.
      this.#followers.clear();
      this.#stored = null;
      this.#healing.restart();
      this.#timezone = timezone;
    }
    const first = this.#stored === null;
    const stored = (this.#stored ??= await readLogFiles(this.#db, this.#serverId));
    if (first) await this.#followOpenRuns(context, stored);
    if (full) this.#refused.clear();
    const all = full || first;
    const isUnknown = (path: string): boolean =>
      !this.#followers.has(path) && !stored.has(path) && !this.#refused.has(path);
    await this.#adoptRenamed(paths.filter(isUnknown), stored, report);
    const files = await listing.files(all ? paths : paths.filter(isUnknown));
    this.#findNewest(files, all);
    const changed = files.filter(({ path, stamp }) => stored.get(path)?.stamp !== stamp);
    const troubled = await listing.files([...this.#troubled.keys()]);
    this.#troubled.clear();
    const toRead = [...new Set([...this.#newest.values(), ...changed, ...troubled])].filter(
      ({ path }) => !this.#followers.has(path) && !this.#refused.has(path),
    );
    const finished = toRead.filter(
      (file) => !stored.has(file.path) && this.#newest.get(kindOfLog(file.path)) !== file,
    );
    const backlog = new Set(finished.length > fewFiles ? finished : []);
    for (const file of toRead) {
      const { path } = file;
      if (backlog.has(file) || this.#followers.has(path)) continue;
      this.#followers.set(path, await LogFollower.open(context, path, stored.get(path) ?? null));
    }
    await this.#importFinished([...backlog], stored, report, signal);
    await this.#lookAtFollowed(listing, stored, report, signal);
    if (full && signal?.aborted !== true) await this.#forgetGone(paths, stored);
    report.remarks.push(...(await this.#heal(listing, stored, report, signal)));
  }

  async #heal(
    listing: FolderListing,
    stored: Map<string, StoredLogFile>,
    report: LogFolderReport,
    signal?: AbortSignal,
  ): Promise<string[]> {
    return await this.#healing.step(
      {
        isLeft: (path) => listing.paths.includes(path) && !this.#refused.has(path),
        isFollowed: (path) => this.#followers.has(path) || (stored.get(path)?.checkpoint ?? null) !== null,
        sizeOf: (path) => stored.get(path)?.position ?? 0,
        readAgain: async (batch) =>
          await this.#importFinished(await listing.files(batch), stored, report, signal),
      },
      signal,
    );
  }

  async #followOpenRuns(context: FollowContext, stored: ReadonlyMap<string, StoredLogFile>): Promise<void> {
    const latest = latestIdentityLogs(stored);
    for (const [path, file] of stored) {
      if (file.checkpoint === null || this.#followers.has(path)) continue;
      if (isIdentityLog(path) && !latest.has(path)) continue;
      this.#followers.set(path, await LogFollower.open(context, path, file));
    }
  }

  /** Rotation gives the file that is followed another name; it is read on where it was left. */
  async #adoptRenamed(
    unknown: readonly string[],
    stored: Map<string, StoredLogFile>,
    report: LogFolderReport,
  ): Promise<void> {
    for (const path of unknown) {
      for (const follower of this.#followers.values()) {
        const { path: former } = follower;
        if (kindOfLog(former) !== kindOfLog(path) || !(await follower.isCopiedIn(path).catch(() => false)))
          continue;
        const beginning = await follower.beginning();
        if (beginning !== null && !isAnother(former, beginning.kind)) continue;
        await renameLogFile(this.#db, this.#serverId, former, path);
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

  #findNewest(files: readonly FolderFile[], all: boolean): void {
    if (all) this.#newest.clear();
    for (const file of files) {
      const kind = kindOfLog(file.path);
      const newest = this.#newest.get(kind);
      if (newest === undefined || isNewer(file, newest)) this.#newest.set(kind, file);
    }
  }

  async #importFinished(
    files: readonly FolderFile[],
    stored: Map<string, StoredLogFile>,
    report: LogFolderReport,
    signal?: AbortSignal,
  ): Promise<void> {
    const [only] = files;
    if (only === undefined) return;
    const name = files.length === 1 ? basename(only.path) : `${files.length} logs`;
    const imported = await importAdminLogs(this.#db, {
      serverId: this.#serverId,
      files: files.map(({ path }) => path),
      port: this.#port,
      beside: false,
      examples: true,
      onProgress: ({ bytesDone, bytesTotal }) => this.#onProgress({ name, bytesDone, bytesTotal }),
      now: this.#clock.now,
      ...(signal && { signal }),
    });
    for (const { file, message } of imported.failures) this.#refused.set(file, message);
    for (const outcome of Object.keys(report.runs) as RunOutcome[]) {
      report.runs[outcome] += imported.runs[outcome];
    }
    report.lines += imported.lines;
    report.unreadLines += imported.unreadLines;
    const stamps = new Map(files.map(({ path, stamp }) => [path, stamp]));
    const read = imported.files.map(({ file, lines, unreadLines, examples = [] }): StoredLogFile => {
      const stamp = stamps.get(file) ?? '';
      return {
        path: file,
        stamp,
        position: Number.parseInt(stamp, 10),
        skipping: false,
        marks: null,
        lines,
        unreadLines,
        examples,
        lastEventAt: null,
        checkpoint: null,
        versions: derivations,
      };
    });
    await saveReadFiles(this.#db, this.#serverId, read, []);
    for (const file of read) stored.set(file.path, file);
  }

  async #lookAtFollowed(
    listing: FolderListing,
    stored: Map<string, StoredLogFile>,
    report: LogFolderReport,
    signal?: AbortSignal,
  ): Promise<void> {
    const { paths } = listing;
    const logs = paths.filter((path) => kindOfLog(path) === 'admin-log');
    for (const follower of this.#followers.values()) {
      if (signal?.aborted === true) return;
      const { path } = follower;
      try {
        const news = (await this.#isFinished(follower))
          ? await follower.finish()
          : await follower.look(await listing.statOf(path), logs, signal);
        report.lines += news.lines;
        report.unreadLines += news.unreadLines;
        for (const outcome of news.runs.values()) report.runs[outcome] += 1;
        report.remarks.push(...news.remarks.map((remark) => `${basename(path)} ${remark}`));
        if (follower.stored !== null) stored.set(path, follower.stored);
        if (follower.isForeign) this.#refused.set(path, `${path}: ${notAnAdminLog}`);
        else this.#refused.delete(path);
        if (follower.isFinished) this.#followers.delete(path);
      } catch (error) {
        const problem = readingProblem(path, error);
        if (problem === null) throw error;
        // It may be ahead of the store.
        this.#followers.delete(path);
        if (follower.stored !== null) stored.set(path, follower.stored);
        // A file that is gone, perhaps under another name, is no problem of its own.
        if (paths.includes(path)) this.#troubled.set(path, problem);
      }
    }
  }

  /** Whether nothing more will come to a file: another one is being written, and a later run has begun. */
  async #isFinished(follower: LogFollower): Promise<boolean> {
    if (follower.quietLooks < looksUntilFinished || follower.isForeign) return false;
    if (this.#newest.get(kindOfLog(follower.path))?.path === follower.path) return false;
    if (kindOfLog(follower.path) !== 'admin-log' || follower.header === null) return true;
    const latest = await latestHeader(this.#db, this.#serverId);
    return latest !== null && latest > follower.header;
  }

  async #forgetGone(paths: readonly string[], stored: Map<string, StoredLogFile>): Promise<void> {
    // With nothing left the folder is rather away than tidied up.
    if (paths.length === 0) return;
    const gone = [...stored.keys()].filter((path) => !paths.includes(path));
    await saveReadFiles(this.#db, this.#serverId, [], gone);
    for (const path of gone) {
      stored.delete(path);
      this.#followers.delete(path);
      this.#refused.delete(path);
    }
  }
}

/** Whether a file that begins like this is another than the one that was read under its name. */
function isAnother(path: string, beginning: Beginning['kind'] | 'same'): boolean {
  return isIdentityLog(path) ? beginning !== 'same' : beginning === 'header';
}

/** Of the logs of identities that were read, the one of each kind that was written last: it may have been renamed. */
function latestIdentityLogs(stored: ReadonlyMap<string, StoredLogFile>): Set<string> {
  const latest = new Map<LogKind, { path: string; changedAt: number }>();
  for (const [path, { stamp }] of stored) {
    if (!isIdentityLog(path)) continue;
    const kind = kindOfLog(path);
    const changedAt = Number(stamp.split(' ')[1] ?? 0);
    if (changedAt >= (latest.get(kind)?.changedAt ?? 0)) latest.set(kind, { path, changedAt });
  }
  return new Set(Array.from(latest.values(), ({ path }) => path));
}

/** Times may be as coarse as seconds; of files of one moment, rotation has added a date to the name of the older. */
function isNewer(file: FolderFile, other: FolderFile): boolean {
  if (file.changedAt !== other.changedAt) return file.changedAt > other.changedAt;
  return file.path.length === other.path.length
    ? file.path > other.path
    : file.path.length < other.path.length;
}

/** What keeps a file from being read; null: it is not the file's fault. */
function readingProblem(path: string, error: unknown): string | null {
  const isOfFile = error instanceof SourceError || (error as NodeJS.ErrnoException).syscall !== undefined;
  return isOfFile ? sourceProblem(path, error) : null;
}

/** What lies in a folder of logs at one look. */
class FolderListing {
  readonly #port: FilePort;
  readonly #folder: string;
  readonly #stats: Map<string, FileStat | null>;
  readonly paths: readonly string[];

  /** @param wanted paths of the files whose state will be asked for */
  static async load(
    port: FilePort,
    folder: string,
    wanted: 'all' | readonly string[],
  ): Promise<FolderListing> {
    const stat = wanted === 'all' ? wanted : wanted.map((path) => basename(path));
    const entries = await port.list(folder, { matching: serverLog, stat });
    const asked = new Set(stat === 'all' ? entries.map(({ name }) => name) : stat);
    const stats = entries
      .filter(({ name }) => asked.has(name))
      .map(({ name, stat: found }) => [join(folder, name), found] as const);
    const paths = entries.map(({ name }) => join(folder, name)).toSorted();
    return new FolderListing(port, folder, paths, new Map(stats));
  }

  private constructor(
    port: FilePort,
    folder: string,
    paths: readonly string[],
    stats: Map<string, FileStat | null>,
  ) {
    this.#port = port;
    this.#folder = folder;
    this.#stats = stats;
    this.paths = paths;
  }

  /** Those of these files that are still there. */
  async files(paths: readonly string[]): Promise<FolderFile[]> {
    const missing = paths.filter((path) => !this.#stats.has(path)).map((path) => basename(path));
    if (missing.length > 0) {
      const entries = await this.#port.list(this.#folder, { matching: serverLog, stat: missing });
      const found = new Map(entries.map(({ name, stat }) => [name, stat]));
      for (const name of missing) this.#stats.set(join(this.#folder, name), found.get(name) ?? null);
    }
    return paths.flatMap((path) => {
      const stat = this.#stats.get(path) ?? null;
      return stat === null ? [] : [{ path, stat, stamp: logStamp(stat), changedAt: stat.changedAt }];
    });
  }

  /** @throws FileError when it is gone */
  async statOf(path: string): Promise<FileStat> {
    const [file] = await this.files([path]);
    if (file === undefined) throw new FileError({ code: 'ENOENT', message: 'no such file' });
    return file.stat;
  }
}
