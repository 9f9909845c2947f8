import type { Game } from '../../server/games/game.ts';
import { createQuery, QueryError, type QueryResult } from '../../server/live/query.ts';

/** A person waits. */
const socketTimeoutMs = 1_000;

export interface TriedAddress {
  host: string;
  gamePort: number;
  /** Null: it answers no query. */
  queryPort: number | null;
  /** What it answered, or its host said; null: no server of the game answered. */
  answer: Pick<QueryResult, 'players' | 'maxPlayers' | 'map'> | null;
  /** The host name does not resolve to an IPv4 address, or this machine has no network. */
  isUnknown: boolean;
}

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
  const ports =
    queryPort === null
      ? [...new Set(game.ports.query(gamePort))].filter((port) => port <= 65_535)
      : [queryPort];
  const query = createQuery({ socketTimeoutMs });
  const tried = await Promise.all(
    hosts.flatMap((host) =>
      ports.map(async (port): Promise<TriedAddress> => {
        const address = { host, gamePort, queryPort: port };
        try {
          const target = { game: game.type, host, port: gamePort, queryPort: port };
          const answer = await query(target);
          // The usual port is a guess: the panels of hosts start servers with others, of which no file knows.
          const own = gamePort === game.ports.usual ? (answer.gamePort ?? gamePort) : gamePort;
          return { ...address, gamePort: own, answer, isUnknown: false };
        } catch (error) {
          if (!(error instanceof QueryError)) throw error;
          return { ...address, answer: null, isUnknown: ['not_asked', 'ipv4_only'].includes(error.reason) };
        }
      }),
    ),
  );
  return tried.find(({ answer }) => answer !== null) ?? (tried[0] as TriedAddress);
}
