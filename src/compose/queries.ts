import { RemotePlaces } from 'game-files';
import { serverOf } from '../config/config-index.ts';
import { createServerCheck } from '../server/live/server-check.ts';
import { keepLatestResults } from '../server/live/latest-results.ts';
import { createQuery, type QueryTarget } from '../server/live/query.ts';
import type { Core } from './core.ts';

export type Queries = ReturnType<typeof createQueries>;

/** Queries of game servers, which roles share. */
export function createQueries(core: Core) {
  const { now, monotonic } = core.clock;
  // Some are secrets, so the store does not have them.
  const keysOf = ({ id = '' }: QueryTarget) => serverOf(core.config(), id)?.server.query;
  const results = keepLatestResults(createQuery({ now, keysOf }), monotonic);
  /** The follower's process has its own. Where both use one token of Nitrado, each plans with half of its requests an hour. */
  const hosts = new RemotePlaces({ clock: core.clock });
  core.closers.push(async () => await hosts.close());
  const check = createServerCheck(results.query, async ({ id }) => {
    const place = serverOf(core.config(), id)?.server.files;
    return place ? await hosts.stateAt(place) : null;
  });
  /** Closes connections to hosts that the config does not have any more. */
  const reload = (): void => {
    const servers = core.config().projects.flatMap((project) => project.servers);
    void hosts.keep(servers.flatMap(({ files }) => files ?? []));
  };
  return { results, check, reload };
}
