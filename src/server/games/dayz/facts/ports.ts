import type { GamePorts } from '../../facts.ts';

export const defaultGamePort = 2302;

/** The game's own query port where `steamQueryPort` is left out, by the game port. */
export const defaultQueryPort = (gamePort: number): number => gamePort + 24_714;

export const ports: GamePorts = {
  usual: defaultGamePort,
  // Those of the game itself, and those that panels use.
  query: (port) => [defaultQueryPort(port), 27_016, port + 1, port + 3, 2305, port],
};
