import type { FilePort, FileStat } from 'game-files';
import { within } from '../../process/time-limit.ts';
import { fileErrorCode } from '../files/errors.ts';

/** Whether a file could not be read because this user may not. */
export const isDenied = (error: unknown): boolean => /^E(?:ACCES|PERM)$/.test(fileErrorCode(error) ?? '');

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
  readonly port: FilePort;
  /** What this user may not read. */
  readonly denied: string[] = [];
  #foldersLeft: number;
  readonly #endsAt: number;
  readonly #listed = new Map<string, Promise<string[] | null>>();

  constructor(port: FilePort, { folders, deadlineMs }: SearchLimits) {
    this.port = port;
    this.#foldersLeft = folders;
    this.#endsAt = performance.now() + deadlineMs;
  }

  /** The names in a folder; null: it cannot be listed. Each folder is listed once, for whatever is looked for in it. */
  async names(folder: string): Promise<string[] | null> {
    const known = this.#listed.get(folder);
    if (known !== undefined) return await known;
    if (this.#foldersLeft <= 0 || this.#leftMs === 0) return null;
    this.#foldersLeft -= 1;
    const names = this.#namesIn(folder);
    this.#listed.set(folder, names);
    return await names;
  }

  async #namesIn(folder: string): Promise<string[] | null> {
    const entries = await this.#inTime(folder, this.port.list(folder, { matching: /^/, stat: [] }));
    // The config takes no path with a control character, and a terminal might obey one.
    return entries?.flatMap(({ name }) => (/\p{Cc}/u.test(name) ? [] : [name])).toSorted() ?? null;
  }

  /** The start of a file; null: it cannot be read. */
  async read(file: string, maxBytes: number): Promise<Buffer | null> {
    const read = await this.#inTime(file, this.port.read(file, [{ offset: 0, length: maxBytes }]));
    return read?.parts[0] ?? null;
  }

  async stat(file: string): Promise<FileStat | null> {
    return await this.#inTime(file, this.port.stat(file));
  }

  /** A path from a folder on; a relative folder stays relative, as it may be one at a host. */
  resolve(folder: string, path: string): string {
    const { isAbsolute, join, normalize } = this.port.path;
    return isAbsolute(path) ? normalize(path) : join(folder, path);
  }

  /** Whether a path is in a folder, at any depth, or is the folder itself. */
  isIn(folder: string, path: string): boolean {
    const relative = this.port.path.relative(folder, path);
    // On Windows, the path from one drive to another is absolute.
    return !relative.startsWith('..') && !this.port.path.isAbsolute(relative);
  }

  isSame(one: string, other: string): boolean {
    return this.port.path.relative(one, other) === '';
  }

  get #leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  async #inTime<T>(path: string, work: Promise<T>): Promise<T | null> {
    const result = work.catch((error: unknown) => {
      if (isDenied(error) && !this.denied.includes(path)) this.denied.push(path);
      return null;
    });
    const found = await within(result, this.#leftMs);
    return found === 'late' ? null : found;
  }
}
