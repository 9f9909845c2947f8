/**
 * How the files of game servers are reached. All paths are absolute or relative to where the port says; no file stays
 * open between two calls. Every method rejects with a `FileError` when the file or folder cannot be reached.
 */
export interface FilePort {
  /** The files and folders in a folder whose names match. */
  list(folder: string, wanted: ListedFiles): Promise<FileEntry[]>;
  /** A file's state. What is not a regular file is an error. */
  stat(path: string): Promise<FileStat>;
  /** Parts of a file, all of one state of it. Nothing but a regular file is opened. */
  read(path: string, ranges: readonly FileRange[]): Promise<FileParts>;
  /**
   * Replaces a file's content at one stroke, as long as the file is as `expected` says; null: there is none yet. Rejects
   * with the code `ECHANGED`, and leaves the file as it is, when it is not.
   */
  replace(path: string, content: Buffer, expected: FileStat | null): Promise<void>;
  /** Resolves when a file or folder may be written; `replace` needs that of both. */
  checkWritable(path: string): Promise<void>;
}

export interface FileStat {
  /** Bytes. */
  size: number;
  /** Epoch milliseconds, by the clock of the machine that holds the file. */
  changedAt: number;
  /** Tells the file from another one that takes its name; null: not known. */
  identity: string | null;
}

/** Tells whether a file is still in the same state. */
export function stampOf({ size, changedAt, identity }: FileStat): string {
  return `${size} ${changedAt} ${identity}`;
}

export interface ListedFiles {
  matching: RegExp;
  /** Whose state is wanted, by name; a port may give that of others, too. */
  stat: 'all' | readonly string[];
}

export interface FileEntry {
  name: string;
  /** Null: not asked for, or the file is gone by now. */
  stat: FileStat | null;
}

/** Bytes. */
export interface FileRange {
  offset: number;
  length: number;
}

export interface FileParts {
  stat: FileStat;
  /** One for each range, in their order; shorter than its range only where the file ends. */
  parts: Buffer[];
}

/** Gives each source a port of its own, so that a source that does not answer keeps no other one waiting. */
export interface Files {
  /**
   * @param source a name that stands for the source from now on
   * @param onSilent called at each request that the source leaves unanswered
   */
  of(source: string, onSilent?: () => void): FilePort;
}

/**
 * Why a file or folder cannot be reached. `code` is that of the file system or one of these: `ENOTFILE`, it is not a
 * regular file; `ECHANGED`, somebody else changed it; `ESILENT`, the file system does not answer; `ECLOSED`, the port is
 * closed. The message of these four is meant for owners.
 */
export class FileError extends Error {
  override name = 'FileError';
  readonly code: string;
  readonly syscall: string;

  constructor({ code = 'EIO', syscall = 'file', message }: FileFailure) {
    super(message);
    this.code = code;
    this.syscall = syscall;
  }
}

/** A `FileError` as plain data. */
export interface FileFailure {
  code?: string | undefined;
  syscall?: string | undefined;
  message: string;
}
