import { defaultQueryPort } from '../../server/games/dayz/server-config.ts';
import { createQuery, QueryError, type QueryResult } from '../../server/live/query.ts';

/** A person waits. */
const socketTimeoutMs = 1_000;

export interface TriedAddress {
  host: string;
  queryPort: number;
  /** Null: no DayZ server answered. */
  answer: QueryResult | null;
  /** The host name does not resolve, or this machine has no network. */
  isUnknown: boolean;
}

/**
 * Queries a DayZ server.
 * @param hosts where it may answer, likely first
 * @param queryPort null: it is unknown, so those are tried that panels and the game itself use
 */
export async function tryQueryPort(
  hosts: readonly string[],
  gamePort: number,
  queryPort: number | null,
): Promise<TriedAddress> {
  const usual = [defaultQueryPort(gamePort), 27_016, gamePort + 1, gamePort + 3, 2305, gamePort];
  const ports = queryPort === null ? [...new Set(usual)].filter((port) => port <= 65_535) : [queryPort];
  const query = createQuery({ socketTimeoutMs });
  const tried = await Promise.all(
    hosts.flatMap((host) =>
      ports.map(async (port): Promise<TriedAddress> => {
        try {
          const target = { game: 'dayz', host, port: gamePort, queryPort: port };
          return { host, queryPort: port, answer: await query(target), isUnknown: false };
        } catch (error) {
          if (!(error instanceof QueryError)) throw error;
          return { host, queryPort: port, answer: null, isUnknown: error.reason === 'not_asked' };
        }
      }),
    ),
  );
  return tried.find(({ answer }) => answer !== null) ?? (tried[0] as TriedAddress);
}
