import type { Clock } from '../../../process/clock.ts';
import type { LoginsByHost } from './host-logins.ts';
import type { HostTrust } from './host-trust.ts';
import type { RemoteFiles } from './remote-files.ts';

/** What all places share. */
export interface PlaceContext {
  clock: Clock;
  logins: LoginsByHost;
  trust: HostTrust;
}

/**
 * Prepares what all places of a kind share.
 * @returns creates the file access for a place; it connects with the first request
 */
export type PlaceOpener<Place> = (context: PlaceContext) => (place: Place) => RemoteFiles;
