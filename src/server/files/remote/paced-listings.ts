import { posix } from 'node:path';
import { FileError, type FileEntry, type ListedFiles } from '../file-port.ts';
import type { Connection } from './connection.ts';
import { folderTooLong } from './session.ts';

/** A listing sends every file of a folder. So many bytes an hour may be spent on those of one folder. */
const bytesPerHour = 300_000;
const hourMs = 3_600_000;
/** How often to check at most whether a folder has changed. */
const shortestMs = 15_000;
/** A folder whose time says that it has not changed is listed this often all the same. */
const longestMs = 10 * 60_000;

/** The latest listing of a folder, kept up to date for the files whose state is asked for. */
interface Listed {
  entries: Map<string, FileEntry>;
  bytes: number;
  /** When it was listed, or found unchanged, by the monotonic clock. */
  listedAt: number;
  checkedAt: number;
  /** The folder's time, which changes when a file comes, goes or is renamed; null: unknown. */
  time: number | null;
  /** Whether it was listed after that time had been seen before: times have whole seconds. */
  isSettled: boolean;
  /** Bytes that may be spent. */
  budget: number;
  budgetAt: number;
}

/**
 * Lists folders seldom, and asks for the state of known files often. A folder is listed again when its time changes or
 * a known file shrinks or is gone, as far as its size allows.
 */
export class PacedListings {
  readonly #connection: Connection;
  readonly #monotonic: () => number;
  /** By folder and names that match. */
  readonly #listed = new Map<string, Listed>();
  /** The folders that were too long, and when to list them again, by the monotonic clock. */
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
      !(await this.#isDue(folder, known)) &&
      (await this.#update(folder, known, names));
    const listed = isKept ? known : await this.#list(folder, wanted, known);
    this.#listed.set(key, listed);
    return [...listed.entries.values()];
  }

  async #list(folder: string, wanted: ListedFiles, known: Listed | undefined): Promise<Listed> {
    const tooLong = this.#tooLong.get(folder);
    if (tooLong !== undefined && this.#monotonic() < tooLong.until) throw tooLong.error;
    const time = known === undefined ? await this.#timeOf(folder) : known.time;
    const all = { matching: wanted.matching, stat: 'all' } as const;
    const { entries, bytes } = await this.#connection
      .run((session) => session.list(folder, all))
      .catch((error: unknown) => {
        if (error instanceof FileError && error.code === folderTooLong)
          this.#tooLong.set(folder, { error, until: this.#monotonic() + longestMs });
        throw error;
      });
    this.#tooLong.delete(folder);
    const now = this.#monotonic();
    return {
      entries: new Map(entries.map((entry) => [entry.name, entry])),
      bytes,
      listedAt: now,
      checkedAt: now,
      time,
      isSettled: known?.isSettled ?? false,
      budget: (known === undefined ? bytesPerHour : this.#budgetOf(known)) - bytes,
      budgetAt: now,
    };
  }

  async #isDue(folder: string, known: Listed): Promise<boolean> {
    const now = this.#monotonic();
    if (this.#budgetOf(known) < Math.min(known.bytes, bytesPerHour)) return false;
    // Its listing is all that says how large a file is.
    if (this.#connection.session?.saysSizes === false) return true;
    if (now - known.checkedAt < shortestMs) return false;
    known.checkedAt = now;
    const time = await this.#timeOf(folder);
    const isNew = time !== known.time;
    const isDue = time === null || isNew || !known.isSettled || now - known.listedAt >= longestMs;
    known.isSettled = !isNew;
    known.time = time;
    return isDue;
  }

  #budgetOf({ budget, budgetAt }: Listed): number {
    const earned = ((this.#monotonic() - budgetAt) / hourMs) * bytesPerHour;
    return Math.min(bytesPerHour, budget + earned);
  }

  async #timeOf(folder: string): Promise<number | null> {
    return await this.#connection.run((session) => session.folderTime(folder));
  }

  /** Asks for the state of known files. @returns false if one of them says that the folder has changed */
  async #update(folder: string, { entries }: Listed, names: readonly string[]): Promise<boolean> {
    if (this.#connection.session?.saysSizes === false) return true;
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
