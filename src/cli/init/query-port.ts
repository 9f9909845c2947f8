import { networkInterfaces } from 'node:os';
import type { Game } from '../../server/games/game.ts';
import { createQuery, QueryError, type QueryResult } from '../../server/live/query.ts';

/** A person waits. */
const socketTimeoutMs = 1_000;

export interface TriedAddress {
  host: string;
  gamePort: number;
  queryPort: number;
  /** Null: no server of the game answered. */
  answer: Pick<QueryResult, 'players' | 'maxPlayers' | 'map'> | null;
}

/** Where a game server of this machine answers that is bound to one address, or runs beside the container of Outpost. */
export const otherHostsHere = (): string[] => [
  ...Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? [address] : [])),
  ),
  'host.docker.internal',
];

/**
 * Queries a game server.
 * @param hosts where it may answer, likely first
 * @param queryPort null: it is unknown, so the usual ones are tried
 */
export async function tryQueryPort(
  game: Game,
  hosts: readonly string[],
  gamePort: number,
  queryPort: number | null,
): Promise<TriedAddress> {
  const usual = [...new Set(game.ports.query(gamePort))].filter((port) => port <= 65_535);
  const ports = queryPort === null ? usual : [queryPort];
  const query = createQuery({ socketTimeoutMs });
  const tried = await Promise.all(
    hosts.flatMap((host) =>
      ports.map(async (port): Promise<TriedAddress> => {
        const address = { host, gamePort, queryPort: port };
        try {
          const answer = await query({ game: game.type, host, port: gamePort, queryPort: port });
          // The usual port is a guess: the panels of hosts start servers with others, of which no file knows.
          const own = gamePort === game.ports.usual ? (answer.gamePort ?? gamePort) : gamePort;
          return { ...address, gamePort: own, answer };
        } catch (error) {
          if (!(error instanceof QueryError)) throw error;
          return { ...address, answer: null };
        }
      }),
    ),
  );
  return tried.find(({ answer }) => answer !== null) ?? (tried[0] as TriedAddress);
}
