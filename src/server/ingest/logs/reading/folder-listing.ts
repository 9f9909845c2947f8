import { basename } from 'node:path';
import { fileNamesOf, formatOf, type LogFormat } from 'dayz-files';
import { FileError, type FileAccess, type FileStat } from 'game-files';
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

/** The content of a folder of logs at one poll. */
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
   * @param followed paths of the files whose current size and time are needed
   * @param all whether those of all others are needed too
   */
  static async load(
    files: FileAccess,
    folder: string,
    formats: readonly LogFormat[],
    { followed, all }: { followed: readonly string[]; all: boolean },
  ): Promise<FolderListing> {
    const { basename: nameOf, join } = files.path;
    const followedNames = followed.map((path) => nameOf(path));
    const stat = all ? 'all' : followedNames;
    const options = { matching: fileNamesOf(formats), stat, current: followedNames } as const;
    const entries = await files.list(folder, options);
    const listing = new FolderListing(files, folder, formats);
    for (const entry of entries)
      if (all || followedNames.includes(entry.name)) listing.#stats.set(join(folder, entry.name), entry.stat);
    const paths = entries.map(({ name }) => join(folder, name)).toSorted();
    const isTooLong = (path: string): boolean => Buffer.byteLength(path) > longestLogPath;
    listing.paths = paths.filter((path) => !isTooLong(path));
    listing.problems = lengthProblem(paths.filter(isTooLong));
    return listing;
  }

  /** Those of these files that still exist, with their sizes and times, which are asked for where they are not known yet. */
  async files(paths: readonly string[]): Promise<FolderFile[]> {
    const missing = paths
      .filter((path) => !this.#stats.has(path))
      .map((path) => this.#files.path.basename(path));
    if (missing.length > 0) {
      const matching = fileNamesOf(this.#formats);
      const entries = await this.#files.list(this.#folder, { matching, stat: missing });
      const found = new Map(entries.map(({ name, stat }) => [name, stat]));
      for (const name of missing) {
        this.#stats.set(this.#files.path.join(this.#folder, name), found.get(name) ?? null);
      }
    }
    return paths.flatMap((path) => {
      const stat = this.#stats.get(path) ?? null;
      // The name of each listed file is that of a format.
      const format = formatOf(this.#formats, basename(path)) as LogFormat;
      return stat === null ? [] : [folderFile(path, format, stat)];
    });
  }

  /** @throws FileError if it no longer exists */
  async statOf(path: string): Promise<FileStat> {
    const [file] = await this.files([path]);
    if (file === undefined) throw new FileError({ code: 'ENOENT', message: 'no such file' });
    return file.stat;
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
