import { RemotePlaces } from 'game-files';
import { serverOf } from '../config/config-index.ts';
import { createServerCheck } from '../server/live/server-check.ts';
import { keepLatestResults } from '../server/live/latest-results.ts';
import { createQuery, type QueryTarget } from '../server/live/query.ts';
import type { Core } from './core.ts';

export type Queries = ReturnType<typeof createQueries>;

/** Asks game servers for their state. One for the whole process, so that all roles share the latest results. */
export function createQueries(core: Core) {
  const { now, monotonic } = core.clock;
  // From the config, since some keys are secrets, which the store does not have.
  const keysOf = ({ id = '' }: QueryTarget) => serverOf(core.config(), id)?.server.query;
  const results = keepLatestResults(createQuery({ now, keysOf }), monotonic);
  /** The follower's process has its own. Where both use one token of Nitrado, each plans with half of its requests an hour. */
  const places = new RemotePlaces({ clock: core.clock });
  core.closers.push(async () => await places.close());
  const check = createServerCheck(results.query, async ({ id }) => {
    const place = serverOf(core.config(), id)?.server.files;
    return place ? await places.stateAt(place) : null;
  });
  /** After a change of the config: closes connections to hosts that it no longer has. */
  const reload = (): void => {
    const servers = core.config().projects.flatMap((project) => project.servers);
    void places.keep(servers.flatMap(({ files }) => files ?? []));
  };
  return { results, check, reload };
}
