import type { Clock } from '../../../process/clock.ts';
import type { ServerState } from '../../store/repositories/projects/servers.ts';

/** What the host of a game server says of it. */
export interface HostState {
  /** Null: the game server answers queries itself. @throws FileError */
  read(): Promise<ServerState | null>;
  close(): void;
}

/** Prepares what all places of a kind share. @returns opens one place; it connects with the first request */
export type HostStateOpener<Place> = (clock: Clock) => (place: Place) => HostState;
