import { basename } from 'node:path';
import type { FileAccess } from 'game-files';
import type { Clock } from '../../../../process/clock.ts';
import type { Database } from '../../../store/engine/database.ts';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import { forgetLogFiles, readLogFiles } from '../../../store/repositories/logs/log-files.ts';
import { findOwnServer } from '../../../store/repositories/projects/servers.ts';
import { ReadAgainError, readRights } from '../../../store/repositories/rights/forgotten-list.ts';
import { isSameStamp, isUnchanged } from '../reading/log-stamp.ts';
import { FolderListing, isNewer, type FolderFile } from '../reading/folder-listing.ts';
import { LogFollower } from './log-follower.ts';
import { createFollowContext, type FollowContext } from './follow-context.ts';
import { type FinishedPoll, readFinished, unreadableReason } from './finished-logs.ts';
import { fileNamesOf, formatOf, type LogFormat } from 'dayz-files';
import { requireLogFormats } from '../../../games/index.ts';
import type { StoreLogs } from '../writing/store-together.ts';
import {
  createProgressReport,
  emptyReport,
  hasChanges,
  type LogFolderReport,
  type ReadProgress,
  RunOutcomes,
} from './log-folder-report.ts';

interface LogFolderChanges {
  /** Null: nothing has changed. */
  report: LogFolderReport | null;
  /** Which files could not be read, and why. */
  problems: string[];
}

interface LogFolderOptions {
  serverId: string;
  folder: string;
  clock: Clock;
  store: StoreLogs;
  /** Called from time to time during long reads. */
  onProgress: (progress: ReadProgress) => void;
}

interface Poll extends FinishedPoll {
  listing: FolderListing;
}

/** After this many polls without changes, while another file is being written, a file is finished. */
const pollsUntilFinished = 5;

/**
 * Follows the logs of one server: of each format the file that was changed last, and all others that grow, line by line.
 * Finished files are read once, to their ends; after a start, those that changed since. A file that was renamed is read once more.
 */
export class LogFolder {
  readonly #db: Database;
  readonly #files: FileAccess;
  readonly #options: LogFolderOptions;
  readonly #followers = new Map<string, LogFollower>();
  readonly #newest = new Map<LogFormat, FolderFile>();
  /** Problems of files that are not followed; retried at a full poll. */
  readonly #refused = new Map<string, string>();
  /** Problems of followed files at the latest poll; retried at the next. */
  readonly #troubled = new Map<string, string>();
  /** Files with a stored state that were not there at the latest poll: what comes under their names is another file. */
  #gone: ReadonlySet<string> = new Set();
  /** The stored state of the files; null: to be read from the store. */
  #stored: Map<string, LogFile> | null = null;
  /** What the followers share; null: to be created. */
  #context: FollowContext | null = null;
  readonly #outcomes = new RunOutcomes();
  #formats: readonly LogFormat[] = [];
  readonly #onProgress: (progress: ReadProgress) => void;

  constructor(db: Database, files: FileAccess, options: LogFolderOptions) {
    this.#db = db;
    this.#files = files;
    this.#options = options;
    this.#onProgress = createProgressReport(options.clock.monotonic, options.onProgress);
  }

  /**
   * Reads and stores what is new.
   * @param full whether to check every file, not only followed and new ones
   * @throws when the folder cannot be read or the store cannot be written; a later poll catches up
   */
  async poll(full: boolean, signal?: AbortSignal): Promise<LogFolderChanges> {
    for (;;) {
      try {
        return await this.#poll(full, signal);
      } catch (error) {
        if (!(error instanceof ReadAgainError)) throw error;
      }
    }
  }

  async #poll(full: boolean, signal: AbortSignal | undefined): Promise<LogFolderChanges> {
    // Between full polls, what has changed is noticed when something is stored.
    const context = full || this.#context === null ? await this.#update() : this.#context;
    const listing = await FolderListing.load(this.#files, this.#options.folder, fileNamesOf(this.#formats), {
      followed: [...this.#followers.keys(), ...this.#troubled.keys()],
      all: full || this.#stored === null,
    });
    const report = emptyReport(context.serverId);
    this.#outcomes.clear();
    try {
      await this.#pollFiles(listing, context, full, report, signal);
    } catch (error) {
      // The state in memory may be ahead of the store.
      this.#forgetState();
      throw error;
    }
    this.#outcomes.addTo(report);
    const problems = [...this.#refused.values(), ...this.#troubled.values(), ...listing.problems];
    if (listing.paths.length === 0 && (this.#stored?.size ?? 0) > 0)
      problems.push('the folder no longer contains a log');
    return { report: hasChanges(report) ? report : null, problems };
  }

  /** Takes over what has changed in the store. */
  async #update(): Promise<FollowContext> {
    const server = await findOwnServer(this.#db, this.#options.serverId);
    this.#formats = requireLogFormats(server.game);
    const context = this.#context;
    if (
      context?.timezone === server.timezone &&
      context.forgotten.revision === (await readRights(this.#db)).list_revision
    )
      return context;
    this.#forgetState();
    this.#context = await createFollowContext(this.#db, server, {
      ...this.#options,
      files: this.#files,
      onProgress: this.#onProgress,
      onStored: this.#outcomes.note,
    });
    return this.#context;
  }

  #forgetState(): void {
    this.#context = null;
    this.#followers.clear();
    this.#stored = null;
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
    context.isHistory = stored.size === 0;
    const poll: Poll = { listing, stored, context, report, signal };
    if (full) this.#refused.clear();
    const { finished, growing } = await this.#filesToRead(poll, full || isFirst);
    for (const { path } of growing)
      this.#followers.set(
        path,
        new LogFollower(context, this.#formatOf(path), path, stored.get(path) ?? null),
      );
    await readFinished(poll, finished, { formats: this.#formats, refused: this.#refused });
    await this.#pollFollowed(poll);
    await context.writer.finish();
    const paths = new Set(listing.paths);
    this.#gone = new Set([...stored.keys()].filter((path) => !paths.has(path)));
    if (signal?.aborted === true) return;
    // An empty folder is more likely unmounted than cleaned up.
    if (full && paths.size > 0) await this.#forgetGone(poll);
  }

  #isUnknown(path: string, stored: ReadonlyMap<string, LogFile>): boolean {
    const isKnown = stored.has(path) && !this.#gone.has(path);
    return !this.#followers.has(path) && !isKnown && !this.#refused.has(path);
  }

  /** Decides whether a file has changed and how to read it. */
  async #filesToRead(poll: Poll, all: boolean): Promise<{ finished: FolderFile[]; growing: FolderFile[] }> {
    const { listing, stored } = poll;
    const unknown = listing.paths.filter((path) => this.#isUnknown(path, stored));
    // A log that was rotated is new by its name; the one that is being written is newer.
    const beside = unknown.length === 0 ? [] : this.#followers.keys();
    const files = await listing.files(all ? listing.paths : [...unknown, ...beside]);
    if (all) this.#newest.clear();
    for (const file of files) {
      const format = this.#formatOf(file.path);
      const newest = this.#newest.get(format);
      if (newest === undefined || isNewer(file, newest)) this.#newest.set(format, file);
    }
    const changed: FolderFile[] = [];
    for (const file of files) {
      if (this.#followers.has(file.path)) continue;
      const known = stored.get(file.path);
      if (known === undefined || !(await isUnchanged(this.#files, file, known))) changed.push(file);
      // Where the listing's times have shifted, it would be opened at each full poll.
      else if (!isSameStamp(known.stamp, file.stamp)) stored.set(file.path, { ...known, stamp: file.stamp });
    }
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
      (isNewest || stored.has(path) ? growing : finished).push(file);
    }
    // A run tells when those left who were on before the next one.
    growing.sort((one, other) => (isNewer(one, other) ? 1 : -1));
    return { finished, growing };
  }

  async #pollFollowed({ listing, stored, report, signal }: Poll): Promise<void> {
    const { paths } = listing;
    for (const follower of this.#followers.values()) {
      if (signal?.aborted === true) return;
      const { file } = follower;
      const { path } = file;
      try {
        if (this.#isFinished(follower)) await follower.finish(report);
        else await follower.poll(await listing.statOf(path), report, signal);
        if (file.stored !== null) stored.set(path, file.stored);
        if (follower.problem !== null) this.#refused.set(path, `${path}: ${follower.problem}`);
        else this.#refused.delete(path);
        if (follower.isFinished) this.#followers.delete(path);
      } catch (error) {
        const problem = unreadableReason(path, error);
        if (problem === null) throw error;
        // Its state may be ahead of what was passed to the writer.
        this.#followers.delete(path);
        if (file.stored !== null) stored.set(path, file.stored);
        // A file that no longer exists, perhaps because it was renamed, is not a problem.
        if (paths.includes(path)) this.#troubled.set(path, problem);
      }
    }
  }

  /**
   * Whether a file is complete: it is quiet, and another one, of a later run, grows or was changed last. A log that grows is
   * live whatever the others are called: names and headers come from a clock that may be set back.
   */
  #isFinished(follower: LogFollower): boolean {
    const { quietPolls, isForeign, format, header } = follower;
    if (quietPolls < pollsUntilFinished || isForeign) return false;
    const newest = this.#newest.get(format)?.path;
    return [...this.#followers.values()].some(
      (other) =>
        other !== follower &&
        other.format === format &&
        (other.quietPolls < quietPolls || other.file.path === newest) &&
        (format.holds === 'identities' || header === null || (other.header ?? '') > header),
    );
  }

  async #forgetGone({ stored, context }: Poll): Promise<void> {
    await forgetLogFiles(this.#db, context.serverId, [...this.#gone]);
    for (const path of this.#gone) {
      stored.delete(path);
      this.#followers.delete(path);
      this.#refused.delete(path);
    }
  }

  /** The format of a listed file; one of them matches. */
  #formatOf(path: string): LogFormat {
    return formatOf(this.#formats, basename(path)) as LogFormat;
  }
}
