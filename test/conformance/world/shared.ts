import { join } from 'node:path';
import { startProxy } from '../../harness/pgbouncer.ts';
import { createDatabase } from '../../harness/postgres-databases.ts';
import { startPostgres } from '../../harness/postgres.ts';
import { startBalancer } from './balancer.ts';
import type { StartService } from './process.ts';

const roles = ['api', 'api', 'api', 'poll,follow,bot'];

/** Three processes that serve and one that does everything else, on one new store; each request goes to any of the three. */
export const startShared: StartService = async (place, closers) => {
  const postgres = await startPostgres();
  closers.push(postgres.remove);
  const proxy = await startProxy(postgres.url('postgres'));
  closers.push(proxy.stop);
  const database = await createDatabase(postgres.url('postgres'));
  const location = proxy.through(database.url);
  const through = location === database.url ? '' : ' through PgBouncer';
  place.environment['OUTPOST_STORE_URL'] = location;
  closers.push(place.remove);
  // All at once: only one of them makes the tables and the key of tokens.
  const processes = await Promise.all(
    roles.map((OUTPOST_ROLES, index) =>
      place.start({ LOG_LEVEL: 'debug', OUTPOST_ROLES, OUTPOST_DATA: join(place.folder, `data-${index}`) }),
    ),
  );
  const balancer = await startBalancer(
    processes.filter((_, index) => roles[index] === 'api').map(({ url }) => url),
  );
  closers.push(balancer.close);
  return {
    url: balancer.url,
    location,
    title:
      'three real processes behind a balancer, and one with the other roles, ' +
      `on one PostgreSQL ${postgres.version}${through}; system clock`,
    output: () => processes.map(({ output }) => output()).join(''),
  };
};
