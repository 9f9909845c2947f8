import type { Clock } from '../../../process/clock.ts';
import type { FileError, Files } from '../file-port.ts';
import type { HostTrust } from './host-trust.ts';

/** The files of one place, over connections that all its sources share. */
export interface RemoteFiles extends Files {
  /** When the host answered a request last, epoch milliseconds; null: never. */
  readonly answeredAt: number | null;
  /** Checks the login. @throws FileError */
  login(): Promise<void>;
  /**
   * Can this host resume a download? Null: it can, and its files can be followed. @returns why not, and what the owner can do
   * @throws FileError when it cannot be asked
   */
  resumeProblem(): Promise<FileError | null>;
  /** Stops at once; unanswered requests are rejected with the code `ECLOSED`. */
  close(): Promise<void>;
}

/** What all places share. */
export interface PlaceContext {
  clock: Clock;
  trust: HostTrust;
}

/**
 * Prepares what all places of a kind share.
 * @returns creates the file access for a place; it connects with the first request
 */
export type PlaceOpener<Place> = (context: PlaceContext) => (place: Place) => RemoteFiles;
