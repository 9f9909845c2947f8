import {
  type FileEntry,
  FileError,
  type FileFailure,
  type FileRequests,
  type ListedFiles,
} from '../file-port.ts';

/**
 * An open connection to a place. Its requests reject with a `FileError` or, when the connection is at fault,
 * `LinkLost`.
 */
export interface Session extends Omit<FileRequests, 'list'> {
  list(folder: string, wanted: ListedFiles): Promise<Listing>;
  /** When a file of a folder last came, went or was renamed, to be compared with itself only; null: unknown. */
  folderTime(folder: string): Promise<number | null>;
  /** Whether its server can read from an offset. */
  readonly readsFrom: boolean;
  /** False: only a listing of its folder has a file's size. */
  readonly saysSizes: boolean;
  /** Bytes that the server has sent so far, about: where they grow, a request takes long and is not lost. */
  readonly receivedBytes: number;
  readonly isOpen: boolean;
  close(): void;
}

export interface Listing {
  entries: FileEntry[];
  /** What the server sent for it, about, matching or not. */
  bytes: number;
}

/** The connection failed, so nothing is known of the file. A read may be repeated on another connection. */
export class LinkLost extends Error {
  override name = 'LinkLost';
  /** What the owner can do about it: asking again does not help. Null: nothing is known. */
  readonly remedy: string | null;

  constructor(message: string, remedy: string | null = null) {
    super(message);
    this.remedy = remedy;
  }
}

/** The host has no connection left for this machine, or this user: who asks often may be shut out. */
export class HostBusy extends LinkLost {
  override name = 'HostBusy';

  constructor(message: string) {
    super(
      message,
      'the host allows no more connections at once: close other programs that use this login; a running Outpost tries ' +
        'again by itself',
    );
  }
}

/** A folder has more in it than is listed. To list it again would cost as much, and fail again. */
export const folderTooLong = 'EFBIG';

export function tooLong(limit: string): FileError {
  return new FileError({
    code: folderTooLong,
    message: `the folder has more than ${limit}`,
    remedy:
      'keep the logs in a folder of their own, or delete old files there; it is tried again every ten minutes',
  });
}

/** The server does not accept the user name, password or key; only the owner can change that. */
export class LoginRefused extends FileError {
  override name = 'LoginRefused';

  constructor(failure: Omit<FileFailure, 'code'>) {
    super({ code: 'EREMOTE', ...failure });
  }
}
