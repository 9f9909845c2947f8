import type { Config, ServerConfig } from '../config/schema.ts';
import { serverOf } from '../config/config-index.ts';
import { HostStates } from '../server/files/remote/host-states.ts';
import { createFindAddress, type AddressOptions } from '../server/live/dns-cache.ts';
import { type CheckServer, queryOrAskHost } from '../server/live/hosted-servers.ts';
import { keepLatestResults, type LatestResults } from '../server/live/latest-results.ts';
import { mayBeQueried } from '../server/live/public-address.ts';
import type { QueryKeys } from '../server/live/query-keys.ts';
import { createQuery, type QueryServer, type QueryTarget } from '../server/live/query.ts';
import type { Core } from './core.ts';

/** Queries of game servers, which roles share. */
export interface Queries {
  /** Asks a game server. */
  ask: QueryServer;
  /** Asks as well, and keeps the latest result of each server. */
  results: LatestResults;
  /** Finds the state of a game server, of its host where it answers no query. */
  check: CheckServer;
  /** Closes what the config has no more. */
  reload(): void;
}

/** @param lookup default: the system's resolver */
export function createQueries(core: Core, lookup: AddressOptions['lookup']): Queries {
  const { now, monotonic } = core.clock;
  const findAddressForMembers = createFindAddress({
    ...(lookup && { lookup }),
    monotonic,
    // Together with those of the config's servers, lookups leave one of the four threads free.
    mostLookups: 1,
    accepts: (address) => mayBeQueried(address, core.config().discord?.allowPrivateServers === true),
  });
  const keysOf = (target: QueryTarget) => queryKeysOf(core.config(), target);
  const ask = createQuery({ now, keysOf, findAddressForMembers });
  const results = keepLatestResults(ask, monotonic);
  const hosts = new HostStates(core.clock);
  core.closers.push(async () => hosts.close());
  const check = queryOrAskHost(results.query, ({ id }) => {
    const place = serverOf(core.config(), id)?.server.files;
    const host = place === undefined ? null : hosts.at(place);
    return host && (() => host.read());
  });
  const reload = (): void => {
    const servers = core.config().projects.flatMap((project) => project.servers);
    hosts.keep(servers.flatMap(({ files }) => files ?? []));
  };
  return { ask, results, check, reload };
}

/** The keys of a server's query. They stand in the config alone: the store, which has the addresses, holds no secrets. */
function queryKeysOf({ projects }: Config, target: QueryTarget): QueryKeys | undefined {
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
