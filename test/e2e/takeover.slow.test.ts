import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasPgBouncer, startPgBouncer } from '../harness/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { disturbProcesses } from '../takeover/run.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => await server.remove());

const note = hasPgBouncer ? 'through PgBouncer' : 'without PgBouncer, which is not installed';

// A short run of `npm run kill-test -- --postgres`. Both wait most of the time.
it.concurrent.each([
  ['killed', 'kill', 8],
  ['stopped for 30 seconds', 'stop', 3],
] as const)(
  `four processes that are %s lose nothing, double nothing and write nothing late (${note})`,
  async (_, how, times) => {
    const adminUrl = server.url('postgres');
    const proxy = hasPgBouncer ? await startPgBouncer(adminUrl) : undefined;
    try {
      const result = await disturbProcesses({
        adminUrl,
        throughProxy: proxy?.through,
        times,
        seed: 21,
        how,
      });
      expect(result.wrong).toEqual([]);
      expect(result.disturbed.length).toBeGreaterThanOrEqual(times);
      expect(result.tables.shared).toEqual(result.tables.undisturbed);
      expect(result.tables.undisturbed['log_run']?.length).toBeGreaterThan(2);
      expect(result.counts.kills).toBeGreaterThan(10);
      if (how === 'stop') expect(result.counts.transactions).toBeGreaterThan(0);
    } finally {
      await proxy?.stop();
    }
  },
);
