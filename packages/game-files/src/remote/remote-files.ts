import type { FileError, Files } from '../file-access.ts';

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
