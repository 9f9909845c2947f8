import type { Stats } from 'node:fs';
import type { PlatformPath } from 'node:path';

/**
 * Read-only access to the files of game servers. Paths are absolute, or relative to a folder that the port defines. No file
 * stays open between two calls. Every method rejects with a `FileError` when the file or folder cannot be accessed.
 */
export interface FilePort extends FileRequests, FileTraits {}

/** The properties of a port, which hold for all its files. */
export interface FileTraits {
  /** Minimum time between two polls of a source. A provider's limits may change it with each answer. */
  readonly pollEveryMs: number;
  /** The path rules: those of this machine, or POSIX. */
  readonly path: PlatformPath;
}

export interface FileRequests {
  /** The files and folders in a folder whose names match. */
  list(folder: string, wanted: ListedFiles): Promise<FileEntry[]>;
  /** A file's state. Rejects for anything but a regular file. */
  stat(path: string): Promise<FileStat>;
  /** Parts of a file, all of the same state. Only regular files are opened. */
  read(path: string, ranges: readonly FileRange[]): Promise<FileParts>;
}

export interface FileStat {
  /** Bytes. */
  size: number;
  /** Epoch milliseconds, by the clock of the machine with the file; null: unknown. */
  changedAt: number | null;
  /** Distinguishes the file from another one that takes its name; null: unknown. */
  identity: string | null;
}

/** The state of a file of this machine. */
export function fileStat({ size, mtimeMs, ino }: Stats): FileStat {
  return { size, changedAt: mtimeMs, identity: String(ino) };
}

export interface ListedFiles {
  matching: RegExp;
  /** The files whose state is needed, by name; a port may return others' as well. */
  stat: 'all' | readonly string[];
  /** With `all`, those whose state must be that of now; the others' may be that of an earlier listing. */
  current?: readonly string[];
}

export interface FileEntry {
  name: string;
  /** Null: not requested, or the file no longer exists. */
  stat: FileStat | null;
}

/** Bytes. */
export interface FileRange {
  offset: number;
  length: number;
}

export interface FileParts {
  stat: FileStat;
  /** One per range, in order; shorter than its range only at the end of the file. */
  parts: Buffer[];
}

/** Gives each source its own port, so that a source that does not respond delays no other. */
export interface Files {
  /** @param source identifies the source from now on */
  of(source: string): FilePort;
}

/**
 * Why a file or folder cannot be accessed. `code` is that of the file system or one of these, whose messages are
 * meant for owners: `ENOTFILE`, it is not a regular file; `ECHANGED`, another program changed it; `ECLOSED`, the port is
 * closed; `EREMOTE`, the host or share with the files cannot be reached, or refused the request.
 */
export class FileError extends Error {
  override name = 'FileError';
  readonly code: string;
  /** What the owner can do about it; null: see the code. */
  readonly remedy: string | null;

  constructor({ code = 'EIO', message, remedy }: FileFailure) {
    super(message);
    this.code = code;
    this.remedy = remedy ?? null;
  }
}

/** A `FileError` as plain data. */
export interface FileFailure {
  code?: string | undefined;
  message: string;
  remedy?: string | undefined;
}

/** Of a request to a port that is closed. */
export const closedError = (): FileError =>
  new FileError({ code: 'ECLOSED', message: 'the files are closed' });
