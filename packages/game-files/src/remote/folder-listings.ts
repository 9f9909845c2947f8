import { posix } from 'node:path';
import { FileError, type FileEntry, type ListedFiles } from '../file-port.ts';
import type { Connection } from './connection.ts';
import { folderTooLong } from './session.ts';

/**
 * A listing sends the name of every file in a folder, and one of 5,000 crash dumps is half a megabyte. So a folder is listed
 * this often, unless a known file says that others have come.
 */
const listedEveryMs = 60_000;
/** A folder that was too long costs megabytes, and is too long the next time as well. */
const tooLongEveryMs = 10 * 60_000;

interface Listed {
  entries: Map<string, FileEntry>;
  /** By the monotonic clock. */
  until: number;
}

/** Lists folders seldom, and asks for the state of known files often. */
export class FolderListings {
  readonly #connection: Connection;
  readonly #monotonic: () => number;
  /** By folder and names that match. */
  readonly #listed = new Map<string, Listed>();
  /** By folder. */
  readonly #tooLong = new Map<string, { error: FileError; until: number }>();

  constructor(connection: Connection, monotonic: () => number) {
    this.#connection = connection;
    this.#monotonic = monotonic;
  }

  async list(folder: string, wanted: ListedFiles): Promise<FileEntry[]> {
    const key = JSON.stringify([folder, String(wanted.matching)]);
    const known = this.#listed.get(key);
    const names = wanted.stat === 'all' ? (wanted.current ?? []) : wanted.stat;
    const isKept =
      known !== undefined &&
      this.#monotonic() < known.until &&
      (await this.#update(folder, known.entries, names));
    const listed = isKept ? known : await this.#list(folder, wanted.matching);
    this.#listed.set(key, listed);
    return [...listed.entries.values()];
  }

  async #list(folder: string, matching: RegExp): Promise<Listed> {
    const tooLong = this.#tooLong.get(folder);
    if (tooLong !== undefined && this.#monotonic() < tooLong.until) throw tooLong.error;
    try {
      const entries = await this.#connection.run((session) => session.list(folder, matching));
      return {
        entries: new Map(entries.map((entry) => [entry.name, entry])),
        until: this.#monotonic() + listedEveryMs,
      };
    } catch (error) {
      if (error instanceof FileError && error.code === folderTooLong) {
        this.#tooLong.set(folder, { error, until: this.#monotonic() + tooLongEveryMs });
      }
      throw error;
    }
  }

  /**
   * Asks for the state of known files. @returns false if one is gone or shorter: then the game has begun a new log, and may
   * have renamed this one
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
