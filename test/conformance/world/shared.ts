import { join } from 'node:path';
import { createDatabase } from '../../harness/postgres-databases.ts';
import { startPostgres } from '../../harness/postgres.ts';
import { startBalancer } from './balancer.ts';
import type { StartService } from './process.ts';

const roles = ['api', 'api', 'api', 'poll,follow,bot'];

/** Three processes that serve and one that does everything else, on one new store; each request goes to any of the three. */
export const startShared: StartService = async (place, closers) => {
  const postgres = await startPostgres();
  closers.push(postgres.remove);
  const { url: location } = await createDatabase(postgres.url('postgres'));
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
      'three real processes behind a balancer, and one with the other roles, on one PostgreSQL; system clock',
    output: () => processes.map(({ output }) => output()).join(''),
  };
};
