import { type FileEntry, FileError, type FileFailure, type FileAccess, remoteError } from '../file-access.ts';

/**
 * An open connection to a place. Its requests reject with a `FileError` or, when the connection is at fault,
 * `LinkLost`.
 */
export interface Session extends Pick<FileAccess, 'stat' | 'read'> {
  /** The files and folders in a folder whose names match, with their state. */
  list(folder: string, matching: RegExp): Promise<FileEntry[]>;
  /** Why files cannot be followed at this host; null: they can. */
  resumeProblem(): Promise<FileError | null>;
  /** Bytes that the server has sent so far, about: where they grow, a request takes long and is not lost. */
  readonly receivedBytes: number;
  readonly isOpen: boolean;
  close(): void;
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
      'the host allows no more connections at once: close other programs that use this login; it is tried again by itself',
    );
  }
}

/** For `catch`: null where the host refuses the file. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof FileError) return null;
  throw error;
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

/** Following a log reads what is new in it. @param answer the server's */
export function cannotResume(answer: string): FileError {
  return remoteError(
    `the host cannot resume a download, so its files cannot be followed: "${answer}"`,
    'ask the host for SFTP, or to let transfers be resumed (REST and SIZE; in ProFTPD, AllowRetrieveRestart on)',
  );
}

/** The server does not accept the user name, password or key; only the owner can change that. */
export class LoginRefused extends FileError {
  override name = 'LoginRefused';

  constructor(failure: Omit<FileFailure, 'code'>) {
    super({ code: 'EREMOTE', ...failure });
  }
}
