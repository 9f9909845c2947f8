import type { Files } from '../file-port.ts';

/** The files of one place, over connections that all its sources share. */
export interface RemoteFiles extends Files {
  /** When the host answered a request last, epoch milliseconds; null: never. */
  readonly answeredAt: number | null;
  /** Checks the login, if that is possible without the files. @throws FileError */
  login?(): Promise<void>;
  /** Stops at once; unanswered requests are rejected with the code `ECLOSED`. */
  close(): Promise<void>;
}
