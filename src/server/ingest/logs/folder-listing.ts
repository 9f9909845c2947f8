import { basename, join } from 'node:path';
import { FileError, type FilePort, type FileStat } from '../files/file-port.ts';
import { logStamp } from './log-follower.ts';

/** A file of a server's logs as a poll finds it. */
export interface FolderFile {
  path: string;
  stat: FileStat;
  stamp: string;
  changedAt: number;
}

/** What lies in a folder of logs at one poll. */
export class FolderListing {
  readonly #port: FilePort;
  readonly #folder: string;
  readonly #matching: RegExp;
  readonly #stats: Map<string, FileStat | null>;
  readonly paths: readonly string[];

  /** @param wanted paths of the files whose state will be asked for */
  static async load(
    port: FilePort,
    folder: string,
    matching: RegExp,
    wanted: 'all' | readonly string[],
  ): Promise<FolderListing> {
    const stat = wanted === 'all' ? wanted : wanted.map((path) => basename(path));
    const entries = await port.list(folder, { matching, stat });
    const asked = new Set(stat === 'all' ? entries.map(({ name }) => name) : stat);
    const stats = entries
      .filter(({ name }) => asked.has(name))
      .map(({ name, stat: found }) => [join(folder, name), found] as const);
    const paths = entries.map(({ name }) => join(folder, name)).toSorted();
    return new FolderListing(port, folder, matching, paths, new Map(stats));
  }

  private constructor(
    port: FilePort,
    folder: string,
    matching: RegExp,
    paths: readonly string[],
    stats: Map<string, FileStat | null>,
  ) {
    this.#port = port;
    this.#folder = folder;
    this.#matching = matching;
    this.#stats = stats;
    this.paths = paths;
  }

  /** Those of these files that are still there. */
  async files(paths: readonly string[]): Promise<FolderFile[]> {
    const missing = paths.filter((path) => !this.#stats.has(path)).map((path) => basename(path));
    if (missing.length > 0) {
      const entries = await this.#port.list(this.#folder, { matching: this.#matching, stat: missing });
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

/** Times may be as coarse as seconds; of files of one moment, rotation has added a date to the name of the older. */
export function isNewer(file: FolderFile, other: FolderFile): boolean {
  if (file.changedAt !== other.changedAt) return file.changedAt > other.changedAt;
  return file.path.length === other.path.length
    ? file.path > other.path
    : file.path.length < other.path.length;
}
