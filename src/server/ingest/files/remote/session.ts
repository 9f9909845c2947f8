import { FileError, type FileFailure, type FileRequests } from '../file-port.ts';

/**
 * An open connection to a place. Its requests reject with a `FileError` or, when the connection is at fault,
 * `LinkLost`.
 */
export interface Session extends FileRequests {
  /** Whether its server is known to replace files atomically. */
  readonly replacesAtomically: boolean;
  /** Whether its server can read from an offset. */
  readonly readsFrom: boolean;
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

/** The server does not accept the user name, password or key; only the owner can change that. */
export class LoginRefused extends FileError {
  override name = 'LoginRefused';

  constructor(failure: Omit<FileFailure, 'code'>) {
    super({ code: 'EREMOTE', ...failure });
  }
}
