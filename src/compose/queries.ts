import { RemotePlaces } from 'game-files';
import { serverOf } from '../config/config-index.ts';
import { queryOrAskHost } from '../server/live/query-or-ask-host.ts';
import { keepLatestResults } from '../server/live/latest-results.ts';
import { createQuery, type QueryTarget } from '../server/live/query.ts';
import type { Core } from './core.ts';

export type Queries = ReturnType<typeof createQueries>;

/** Queries of game servers, which roles share. */
export function createQueries(core: Core) {
  const { now, monotonic } = core.clock;
  // They are in the config alone: the store, which has the addresses, has no secrets.
  const keysOf = ({ id = '' }: QueryTarget) => serverOf(core.config(), id)?.server.query;
  /** Asks game servers, and keeps the latest result of each. */
  const results = keepLatestResults(createQuery({ now, keysOf }), monotonic);
  /** With a budget of their own: where files are read with the same token, each plans with half of what an hour allows. */
  const hosts = new RemotePlaces({ clock: core.clock });
  core.closers.push(async () => await hosts.close());
  /** Finds the state of a game server, of its host where it answers no query. */
  const check = queryOrAskHost(results.query, async ({ id }) => {
    const place = serverOf(core.config(), id)?.server.files;
    return place ? await hosts.stateAt(place) : null;
  });
  /** Closes what the config has no more. */
  const reload = (): void => {
    const servers = core.config().projects.flatMap((project) => project.servers);
    void hosts.keep(servers.flatMap(({ files }) => files ?? []));
  };
  return { results, check, reload };
}
