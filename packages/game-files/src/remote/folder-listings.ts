import { posix } from 'node:path';
import { FileError, type FileEntry, type ListedFiles } from '../file-access.ts';
import type { Connection } from './connection.ts';
import { folderTooLong } from './session.ts';

/**
 * A listing sends the name of every file in a folder, and one of 5,000 crash dumps is half a megabyte. So a folder is listed
 * once a minute. It is listed sooner when a known file is gone or shorter, because the game has then begun a new log.
 */
const listedEveryMs = 60_000;
/** Trying to list a folder that is too long costs megabytes, and it rarely gets shorter. */
const tooLongEveryMs = 10 * 60_000;

/** The latest answer about a folder: its files that match, or that it is too long. `until`: when to list it again, by the monotonic clock. */
type Listing = { until: number } & ({ entries: Map<string, FileEntry> } | { tooLong: FileError });

/** Lists folders seldom, and asks for the state of known files often. */
export class FolderListings {
  readonly #connection: Connection;
  readonly #monotonic: () => number;
  /** By folder and names that match. */
  readonly #listings = new Map<string, Listing>();

  constructor(connection: Connection, monotonic: () => number) {
    this.#connection = connection;
    this.#monotonic = monotonic;
  }

  async list(folder: string, { matching, stat, current = [] }: ListedFiles): Promise<FileEntry[]> {
    const key = JSON.stringify([folder, String(matching)]);
    const known = this.#listings.get(key);
    if (known !== undefined && this.#monotonic() < known.until) {
      if ('tooLong' in known) throw known.tooLong;
      // With `all`, an earlier state will do for files that are not in `current`.
      const names = stat === 'all' ? current : stat;
      const isSame = await this.#update(folder, known.entries, names);
      if (isSame) return [...known.entries.values()];
    }
    try {
      const listed = await this.#connection.run((session) => session.list(folder, matching));
      const entries = new Map(listed.map((entry) => [entry.name, entry]));
      this.#listings.set(key, { entries, until: this.#monotonic() + listedEveryMs });
      return [...entries.values()];
    } catch (error) {
      if (error instanceof FileError && error.code === folderTooLong) {
        this.#listings.set(key, { tooLong: error, until: this.#monotonic() + tooLongEveryMs });
      }
      throw error;
    }
  }

  /**
   * Asks for the state of known files and keeps it.
   * @returns false if one is gone or shorter: the game has begun a new log, and may have renamed this one
   */
  async #update(folder: string, entries: Map<string, FileEntry>, names: readonly string[]): Promise<boolean> {
    const known = names.filter((name) => entries.has(name));
    const same = await Promise.all(
      known.map(async (name) => {
        const before = entries.get(name)?.stat?.size ?? 0;
        const stat = await this.#connection
          .run((session) => session.stat(posix.join(folder, name)))
          .catch((error: unknown) => {
            if (error instanceof FileError && error.code === 'ENOENT') return 'gone' as const;
            if (error instanceof FileError && error.code !== 'EREMOTE' && error.code !== 'ECLOSED')
              return null;
            throw error;
          });
        if (stat !== 'gone') entries.set(name, { name, stat });
        return stat !== 'gone' && (stat === null || stat.size >= before);
      }),
    );
    return !same.includes(false);
  }
}
