import type { Config, ServerConfig } from '../config/schema.ts';
import type { QueryKeys } from '../server/live/query-keys.ts';
import type { QueryTarget } from '../server/live/query.ts';

/** The keys of a server's query. They stand in the config alone: the store, which has the addresses, holds no secrets. */
export function queryKeysOf({ projects }: Config, target: QueryTarget): QueryKeys | undefined {
  const isTarget = ({ game, host, port, queryPort }: ServerConfig): boolean =>
    game === target.game &&
    host === target.host &&
    port === target.port &&
    (queryPort ?? null) === target.queryPort;
  for (const { servers } of projects) {
    const own = servers.find((server) => server.query !== undefined && server.active && isTarget(server));
    if (own !== undefined) return own.query;
  }
  return undefined;
}
