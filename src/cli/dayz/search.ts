import type { FileAccess, FileStat } from 'game-files';
import { fileErrorCode } from '../../server/files/errors.ts';

interface SearchLimits {
  /** How many folders are listed at most. */
  folders: number;
  /** Milliseconds after which nothing more is listed or read. */
  deadlineMs: number;
}

/**
 * Looks through folders within limits. What cannot be listed or read counts as missing: a search passes many folders
 * that it may not enter.
 */
export class Search {
  readonly files: FileAccess;
  /** What this user may not read. */
  readonly denied: string[] = [];
  #foldersLeft: number;
  readonly #endsAt: number;
  readonly #listed = new Map<string, Promise<string[] | null>>();

  constructor(files: FileAccess, { folders, deadlineMs }: SearchLimits) {
    this.files = files;
    this.#foldersLeft = folders;
    this.#endsAt = performance.now() + deadlineMs;
  }

  /** The names in a folder; null: it cannot be listed. Each folder is listed once, for whatever is looked for in it. */
  async names(folder: string): Promise<string[] | null> {
    let names = this.#listed.get(folder);
    if (names === undefined) {
      if (this.#foldersLeft-- <= 0) return null;
      names = this.#attempt(folder, async () => {
        const entries = await this.files.list(folder, { matching: /^/, stat: [] });
        // The config takes no path with a control character, and a terminal might obey one.
        return entries.flatMap(({ name }) => (/\p{Cc}/u.test(name) ? [] : [name])).toSorted();
      });
      this.#listed.set(folder, names);
    }
    return await names;
  }

  /** The start of a file; null: it cannot be read. */
  async read(file: string, maxBytes: number): Promise<Buffer | null> {
    return await this.#attempt(file, async () => {
      const { parts } = await this.files.read(file, [{ offset: 0, length: maxBytes }]);
      return parts[0] ?? null;
    });
  }

  async stat(file: string): Promise<FileStat | null> {
    return await this.#attempt(file, async () => await this.files.stat(file));
  }

  /** A path from a folder on; a relative folder stays relative, as it may be one at a host. */
  resolve(folder: string, path: string): string {
    const { isAbsolute, join, normalize } = this.files.path;
    return isAbsolute(path) ? normalize(path) : join(folder, path);
  }

  /** Whether a path is in a folder, at any depth, or is the folder itself. */
  isIn(folder: string, path: string): boolean {
    const relative = this.files.path.relative(folder, path);
    // On Windows, the path from one drive to another is absolute.
    return !relative.startsWith('..') && !this.files.path.isAbsolute(relative);
  }

  isSame(one: string, other: string): boolean {
    return this.files.path.relative(one, other) === '';
  }

  async #attempt<T>(path: string, work: () => Promise<T>): Promise<T | null> {
    if (performance.now() > this.#endsAt) return null;
    try {
      return await work();
    } catch (error) {
      const isDenied = /^E(?:ACCES|PERM)$/.test(fileErrorCode(error) ?? '');
      if (isDenied && !this.denied.includes(path)) this.denied.push(path);
      return null;
    }
  }
}
