import { networkInterfaces } from 'node:os';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import { createQuery, QueryError, type QueryResult } from '../../server/live/query.ts';
import { limits } from '../limits.ts';

export interface TriedAddress {
  host: string;
  gamePort: number;
  queryPort: number;
  /** Null: no game server answered. */
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
  hosts: readonly string[],
  gamePort: number,
  queryPort: number | null,
): Promise<TriedAddress> {
  const { type, ports } = dayz;
  const usual = [...new Set(ports.query(gamePort))].filter((port) => port <= 65_535);
  const query = createQuery({ socketTimeoutMs: limits.querySocketMs });
  const attempt = async (host: string, port: number): Promise<TriedAddress> => {
    try {
      const answer = await query({ game: type, host, port: gamePort, queryPort: port });
      // The usual port is a guess: the panels of hosts start servers with others, of which no file knows.
      const own = gamePort === ports.usual ? (answer.gamePort ?? gamePort) : gamePort;
      return { host, gamePort: own, queryPort: port, answer };
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return { host, gamePort, queryPort: port, answer: null };
    }
  };
  const candidates = queryPort === null ? usual : [queryPort];
  const attempts = hosts.flatMap((host) => candidates.map((port) => attempt(host, port)));
  // The others go on for a second or two; who waits for an answer has it.
  for (const one of attempts) one.catch(() => undefined);
  for (const one of attempts) {
    const tried = await one;
    if (tried.answer !== null) return tried;
  }
  return await (attempts[0] as Promise<TriedAddress>);
}
