import { LocalZone, type LogFormat } from 'dayz-files';
import type { FileAccess } from 'game-files';
import type { Clock } from '../../../../process/clock.ts';
import { requireLogFormats } from '../../../games/index.ts';
import type { Database } from '../../../store/engine/database.ts';
import { forgetLogFiles, readLogFiles } from '../../../store/repositories/logs/log-files.ts';
import { findOwnServer } from '../../../store/repositories/projects/servers.ts';
import {
  ReadAgainError,
  readForgottenList,
  readRights,
} from '../../../store/repositories/rights/forgotten-list.ts';
import type { PollResult } from '../../poll-problems.ts';
import { FolderListing, isNewer, type FolderFile } from '../reading/folder-listing.ts';
import { isSameStamp, isUnchanged } from '../reading/log-stamp.ts';
import { LogWriter } from '../writing/log-writer.ts';
import type { StoreLogs } from '../writing/store-together.ts';
import {
  createProgressReport,
  emptyReport,
  isEmpty,
  type LogFolderReport,
  type ReadProgress,
} from './log-folder-report.ts';
import { type FollowContext, LogFollower } from './log-follower.ts';
import { type Poll, readFinished, unreadableReason } from './finished-logs.ts';

interface LogFolderOptions {
  /** Writes under the fence of the server's lease. */
  db: Database;
  files: FileAccess;
  serverId: string;
  folder: string;
  clock: Clock;
  store: StoreLogs;
  /** Called from time to time during long reads. */
  onProgress: (progress: ReadProgress) => void;
}

interface FolderPoll extends Poll {
  listing: FolderListing;
}

/** After this many polls without changes, while another file is being written, a file is finished. */
const pollsUntilFinished = 5;
/** Files of a folder mostly have one problem in common, so the first ones are enough. */
const shownProblems = 5;

/**
 * Follows the logs of one server. At a poll, a file of its folder is one of these:
 *
 * - **unchanged**: in the state in which all of it was counted, so it is not opened;
 * - **followed**: read as it grows (`LogFollower`). That is the file of each format that was changed last, and each other file
 *   that has changed since its state was stored. It stays so until it is finished or cannot be read;
 * - **finished**: new, and older than the followed one of its format. It is read once, to its end (`readFinished`);
 * - **refused**: it could not be read, or is no such log. A full poll tries it again;
 * - **troubled**: it was followed and could not be read. The next poll tries it again;
 * - **gone**: it has a stored state, and is not there. What comes under its name is another file, which is checked at once. A
 *   full poll deletes the state. A file that was renamed is read once more.
 */
export class LogFolder {
  readonly #options: LogFolderOptions;
  readonly #onProgress: (progress: ReadProgress) => void;
  #formats: readonly LogFormat[] = [];
  /** What the followers share; null: to be created. */
  #context: FollowContext | null = null;
  /** Whether every file was compared with its stored state since that was read. */
  #isCompared = false;
  readonly #followers = new Map<string, LogFollower>();
  /** The file of each format that was changed last. */
  readonly #newest = new Map<LogFormat, FolderFile>();
  /** Why these could not be read, by path. */
  readonly #refused = new Map<string, string>();
  readonly #troubled = new Map<string, string>();
  #gone: ReadonlySet<string> = new Set();

  constructor(options: LogFolderOptions) {
    this.#options = options;
    this.#onProgress = createProgressReport(options.clock.monotonic, options.onProgress);
  }

  /**
   * Reads and stores what is new.
   * @param full whether to check every file, not only followed and new ones
   * @throws when the folder cannot be read or the store cannot be written; a later poll catches up
   */
  async poll(full: boolean, signal?: AbortSignal): Promise<PollResult<LogFolderReport>> {
    for (;;) {
      try {
        return await this.#poll(full, signal);
      } catch (error) {
        if (!(error instanceof ReadAgainError)) throw error;
      }
    }
  }

  async #poll(full: boolean, signal: AbortSignal | undefined): Promise<PollResult<LogFolderReport>> {
    // Between full polls, what has changed in the store is noticed when something is stored.
    const context = full || this.#context === null ? await this.#currentContext() : this.#context;
    const { stored } = context;
    const all = full || !this.#isCompared;
    const listing = await FolderListing.load(context.files, this.#options.folder, this.#formats, {
      followed: [...this.#followers.keys(), ...this.#troubled.keys()],
      all,
    });
    const report = emptyReport(context.serverId);
    try {
      if (full) this.#refused.clear();
      await this.#pollFiles({ context, isHistory: stored.size === 0, listing, report, signal }, all);
      this.#isCompared = true;
      // An empty folder is more likely unmounted than cleaned up.
      if (full && listing.paths.length > 0 && signal?.aborted !== true) await this.#forgetGone(context);
    } catch (error) {
      // The state in memory may be ahead of the store.
      this.#forgetState();
      throw error;
    }
    const problems = [...this.#refused.values(), ...this.#troubled.values(), ...listing.problems];
    if (listing.paths.length === 0 && stored.size > 0) problems.push('the folder no longer contains a log');
    const shown = problems.slice(0, shownProblems);
    if (problems.length > shownProblems) shown.push(`and ${problems.length - shownProblems} more`);
    const problem = shown.length === 0 ? null : shown.join('; ');
    return isEmpty(report) ? { problem } : { report, problem };
  }

  /** What the followers share; a new one, without followers, if the time zone or the forgotten players have changed. */
  async #currentContext(): Promise<FollowContext> {
    const { serverId, clock, store, db, files } = this.#options;
    const { projectId, timezone, game } = await findOwnServer(db, serverId);
    this.#formats = requireLogFormats(game);
    const before = this.#context;
    const { list_revision: revision } = await readRights(db);
    if (before?.timezone === timezone && before.forgotten.revision === revision) return before;
    this.#forgetState();
    const forgotten = await readForgottenList(db);
    const server = { serverId, projectId, timezone, forgotten };
    this.#context = {
      ...server,
      ...clock,
      db,
      files,
      zone: new LocalZone(timezone),
      stored: await readLogFiles(db, serverId),
      writer: new LogWriter(db, { ...server, now: clock.now, store }),
      onProgress: this.#onProgress,
    };
    return this.#context;
  }

  #forgetState(): void {
    this.#context = null;
    this.#isCompared = false;
    this.#followers.clear();
  }

  async #pollFiles(poll: FolderPoll, all: boolean): Promise<void> {
    const { context, listing, isHistory } = poll;
    const { finished, growing } = await this.#filesToRead(poll, all);
    for (const file of growing) this.#followers.set(file.path, new LogFollower(context, file, isHistory));
    await readFinished(poll, finished, this.#refused);
    await this.#pollFollowed(poll);
    await context.writer.finish();
    const paths = new Set(listing.paths);
    this.#gone = new Set([...context.stored.keys()].filter((path) => !paths.has(path)));
  }

  /** Finds the files that are read from now on: once, or as they grow. @param all whether to compare every file with its state */
  async #filesToRead(
    { context, listing }: FolderPoll,
    all: boolean,
  ): Promise<{ finished: FolderFile[]; growing: FolderFile[] }> {
    const { stored } = context;
    const unknown = listing.paths.filter((path) => {
      const isKnown = stored.has(path) && !this.#gone.has(path);
      return !isKnown && !this.#followers.has(path) && !this.#refused.has(path);
    });
    // A log that was rotated has a new name, but the one that is being written is newer. So they are compared.
    const beingWritten = unknown.length === 0 ? [] : this.#followers.keys();
    const checked = await listing.files(all ? listing.paths : [...unknown, ...beingWritten]);
    if (all) this.#newest.clear();
    for (const file of checked) {
      const newest = this.#newest.get(file.format);
      if (newest === undefined || isNewer(file, newest)) this.#newest.set(file.format, file);
    }
    const changed = await this.#changedOf(checked, context);
    const troubled = await listing.files([...this.#troubled.keys()]);
    this.#troubled.clear();
    const toRead = new Map(
      [...this.#newest.values(), ...changed, ...troubled]
        .filter(({ path }) => !this.#followers.has(path) && !this.#refused.has(path))
        .map((file) => [file.path, file]),
    );
    const grows = ({ format, path }: FolderFile): boolean =>
      this.#newest.get(format)?.path === path || stored.has(path);
    const files = [...toRead.values()];
    return {
      finished: files.filter((file) => !grows(file)),
      // Oldest first: the players of one run leave before those of the next come.
      growing: files.filter(grows).toSorted((one, other) => (isNewer(one, other) ? 1 : -1)),
    };
  }

  /** Those files that are not followed and differ from their stored state, or have none. */
  async #changedOf(checked: readonly FolderFile[], { files, stored }: FollowContext): Promise<FolderFile[]> {
    const changed: FolderFile[] = [];
    for (const file of checked) {
      if (this.#followers.has(file.path)) continue;
      const state = stored.get(file.path);
      if (state === undefined || !(await isUnchanged(files, file, state))) changed.push(file);
      // The listing's times have shifted: with the old stamp, it would be opened again at each full poll.
      else if (!isSameStamp(state.stamp, file.stamp)) stored.set(file.path, { ...state, stamp: file.stamp });
    }
    return changed;
  }

  async #pollFollowed({ listing, report, signal }: FolderPoll): Promise<void> {
    for (const [path, follower] of this.#followers) {
      if (signal?.aborted === true) return;
      try {
        if (this.#isFinished(follower)) {
          await follower.finish(report);
          this.#followers.delete(path);
        } else await follower.poll(await listing.statOf(path), report, signal);
        if (follower.problem !== null) this.#refused.set(path, `${path}: ${follower.problem}`);
        else this.#refused.delete(path);
      } catch (error) {
        const problem = unreadableReason(path, error);
        if (problem === null) throw error;
        // Its state may be ahead of what was passed to the writer.
        this.#followers.delete(path);
        // A file that no longer exists, perhaps because it was renamed, is not a problem.
        if (listing.paths.includes(path)) this.#troubled.set(path, problem);
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
    return [...this.#followers].some(
      ([path, other]) =>
        other !== follower &&
        other.format === format &&
        (other.quietPolls < quietPolls || path === newest) &&
        (format.holds === 'identities' || header === null || (other.header ?? '') > header),
    );
  }

  async #forgetGone({ db, serverId, stored }: FollowContext): Promise<void> {
    await forgetLogFiles(db, serverId, [...this.#gone]);
    for (const path of this.#gone) {
      stored.delete(path);
      this.#followers.delete(path);
      this.#refused.delete(path);
    }
  }
}
