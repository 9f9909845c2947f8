import type { Files } from '../file-port.ts';

/** The files of one place, over connections that all its sources share. */
export interface RemoteFiles extends Files {
  /** Checks the login, if that is possible without the files. @throws FileError */
  login?(): Promise<void>;
  /** Stops at once; unanswered requests are rejected with the code `ECLOSED`. */
  close(): Promise<void>;
}
