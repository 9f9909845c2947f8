import type { PlatformPath } from 'node:path';

/**
 * Read-only access to files in one place, for one source. Paths are absolute, or relative to a folder of the place: the one
 * after the login, at Nitrado that of the game, on this machine the working folder. No file stays open between two calls. Every
 * method rejects with a `FileError` when the file or folder cannot be accessed.
 */
export interface FileAccess {
  /** Minimum time between two polls of the source. At Nitrado each answer may change it. */
  readonly pollEveryMs: number;
  /** Bytes for which to ask at once when a file is read from start to end: more where a request takes long, or counts. */
  readonly stepBytes: number;
  /** How paths are joined and split: by the rules of this machine, elsewhere by those of POSIX. */
  readonly path: PlatformPath;
  /** The files and folders in a folder whose names match, in no order. */
  list(folder: string, wanted: ListedFiles): Promise<FileEntry[]>;
  /** A file's state. Rejects for anything but a regular file (`EISDIR`, `ENOTFILE`). */
  stat(path: string): Promise<FileStat>;
  /** Parts of a file, by byte offsets, and its state. Only regular files are opened. */
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

export interface ListedFiles {
  matching: RegExp;
  /** The files whose state is needed, by name; an answer may hold others' as well. */
  stat: 'all' | readonly string[];
  /** With `all`, those whose state must be that of now; the others' may be that of an earlier listing. */
  current?: readonly string[];
}

export interface FileEntry {
  /** Without the folder. */
  name: string;
  /** Null: not requested, or the file no longer exists. That of anything but a regular file says nothing. */
  stat: FileStat | null;
}

/** In bytes. */
export interface FileRange {
  offset: number;
  length: number;
}

export interface FileParts {
  stat: FileStat;
  /** One per range, in order; shorter than its range only at the end of the file. */
  parts: Buffer[];
}

/**
 * The files of one place. A source is one thing that is polled there, such as the logs of a server: each has an access of its own, so
 * that one that does not respond delays no other, and each has its share of a provider's limits.
 */
export interface Files {
  /** @param source any name; the same name is the same source */
  of(source: string): FileAccess;
}

/** The files of one place, over connections that all its sources share. It connects with the first request. */
export interface RemoteFiles extends Files {
  /** Checks the login. @throws FileError */
  login(): Promise<void>;
  /**
   * Asks whether the host can resume a download, without which files cannot be followed.
   * @returns null if it can, otherwise why not, and what the owner can do
   * @throws FileError when it cannot be asked
   */
  resumeProblem(): Promise<FileError | null>;
  /** Stops at once; unanswered requests are rejected with the code `ECLOSED`. */
  close(): Promise<void>;
}

/** What bytes are read from: an `OpenedFile`, or a `FileHandle` of `node:fs/promises`. */
export interface ByteSource {
  /**
   * Reads up to `length` bytes from `position` of the file into `buffer`, from `offset` of that on.
   * @returns how many, which may be fewer than requested; 0: the file ends there
   */
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

/**
 * Why a file or folder cannot be accessed. `code` is that of the file system (`ENOENT`, `EACCES`) or one of these, whose messages
 * are meant for the owner of the game server:
 * - `EREMOTE`: the host or share with the files cannot be reached, or refused the request; nothing is known of the file
 * - `ECHANGED`: the file was changed or replaced while it was read
 * - `ENOTFILE`: it is a pipe, a device or a socket
 * - `EFBIG`: the folder has more in it than is listed
 * - `ECLOSED`: it was closed
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

/** The host cannot be reached, or refused the request. @param remedy what the owner can do about it */
export const remoteError = (message: string, remedy?: string): FileError =>
  new FileError({ code: 'EREMOTE', message, remedy });

/** Of a request after it was closed. */
export const closedError = (): FileError =>
  new FileError({ code: 'ECLOSED', message: 'the files are closed' });
