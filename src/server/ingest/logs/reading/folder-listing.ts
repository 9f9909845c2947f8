import { fileNamesOf, formatOf, type LogFormat } from 'dayz-files';
import { FileError, type FileAccess, type FileStat, type ListedFiles } from 'game-files';
import { longestLogPath } from '../../../store/repositories/logs/log-files.ts';
import { logStamp } from './log-stamp.ts';

/** A file of a server's logs, as found by a poll. */
export interface FolderFile {
  path: string;
  format: LogFormat;
  stat: FileStat;
  stamp: string;
  /** Null: not known. */
  changedAt: number | null;
}

export function folderFile(path: string, format: LogFormat, stat: FileStat): FolderFile {
  return { path, format, stat, stamp: logStamp(stat), changedAt: stat.changedAt };
}

/** What says which of two logs is newer. */
type DatedFile = Pick<FolderFile, 'path' | 'changedAt'>;

/** The logs in a folder at one poll: all names, but only the states asked for, as each may cost a request to a remote host. */
export class FolderListing {
  readonly #files: FileAccess;
  readonly #folder: string;
  readonly #formats: readonly LogFormat[];
  /** By path, of the files that were asked for so far; null: it no longer exists. */
  readonly #stats = new Map<string, FileStat | null>();
  /** In the order of their names. */
  paths: readonly string[] = [];
  /** Why files were left alone. */
  problems: readonly string[] = [];

  private constructor(files: FileAccess, folder: string, formats: readonly LogFormat[]) {
    this.#files = files;
    this.#folder = folder;
    this.#formats = formats;
  }

  /**
   * @param followed paths of the files whose current states are asked for
   * @param all whether to ask for those of all others, too, which may be as old as an earlier listing
   */
  static async load(
    files: FileAccess,
    folder: string,
    formats: readonly LogFormat[],
    { followed, all }: { followed: readonly string[]; all: boolean },
  ): Promise<FolderListing> {
    const listing = new FolderListing(files, folder, formats);
    const followedNames = followed.map((path) => files.path.basename(path));
    const names = await listing.#list({ stat: all ? 'all' : followedNames, current: followedNames });
    const paths = names.map((name) => files.path.join(folder, name)).toSorted();
    const isTooLong = (path: string): boolean => Buffer.byteLength(path) > longestLogPath;
    listing.paths = paths.filter((path) => !isTooLong(path));
    listing.problems = lengthProblem(paths.filter(isTooLong));
    return listing;
  }

  /** Those of these files that still exist. Asks for the states that neither `load` nor an earlier call asked for. */
  async files(paths: readonly string[]): Promise<FolderFile[]> {
    const missing = paths.filter((path) => !this.#stats.has(path));
    if (missing.length > 0) {
      await this.#list({ stat: missing.map((path) => this.#files.path.basename(path)) });
      for (const path of missing) if (!this.#stats.has(path)) this.#stats.set(path, null);
    }
    return paths.flatMap((path) => {
      const stat = this.#stats.get(path) ?? null;
      // The name of each listed file is that of a format.
      const format = formatOf(this.#formats, this.#files.path.basename(path)) as LogFormat;
      return stat === null ? [] : [folderFile(path, format, stat)];
    });
  }

  /** @throws FileError if it no longer exists */
  async statOf(path: string): Promise<FileStat> {
    const [file] = await this.files([path]);
    if (file === undefined) throw new FileError({ code: 'ENOENT', message: 'no such file' });
    return file.stat;
  }

  /** Keeps the states asked for and no others, which may be old. @returns the names of all logs */
  async #list({ stat, current = [] }: Omit<ListedFiles, 'matching'>): Promise<string[]> {
    const matching = fileNamesOf(this.#formats);
    const entries = await this.#files.list(this.#folder, { matching, stat, current });
    const asked = new Set(stat === 'all' ? entries.map(({ name }) => name) : stat);
    for (const entry of entries)
      if (asked.has(entry.name)) this.#stats.set(this.#files.path.join(this.#folder, entry.name), entry.stat);
    return entries.map(({ name }) => name);
  }
}

const shownOfLongPath = 100;

function lengthProblem([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const expected = `not read, a path of at most ${longestLogPath} bytes was expected. Shorten it`;
  return [`${first.slice(0, shownOfLongPath)}…${more}: ${expected}`];
}

/**
 * Whether a log was changed after another one, whatever their names say: a server's clock may be set back, as in autumn.
 * Times may be missing, or have a resolution of minutes. Then the names decide: rotation has added something to that of
 * the older file, and of names of one length the latest is last.
 */
export function isNewer(file: DatedFile, other: DatedFile): boolean {
  const [changedAt, otherChangedAt] = [file.changedAt, other.changedAt];
  if (changedAt !== null && otherChangedAt !== null && changedAt !== otherChangedAt)
    return changedAt > otherChangedAt;
  return file.path.length === other.path.length
    ? file.path > other.path
    : file.path.length < other.path.length;
}
