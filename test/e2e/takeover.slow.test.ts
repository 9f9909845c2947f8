import { afterAll, beforeAll, expect, it } from 'vitest';
import { disturbHolder } from '../following/disturb-holder.ts';
import { hasPgBouncer, startPgBouncer } from '../harness/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => await server.remove());

it.each(['kill', 'stop'] as const)(
  'holds what it holds undisturbed, though processes that follow a log meet with: %s',
  async (how) => {
    const times = how === 'kill' ? 5 : 2;
    const adminUrl = server.url('postgres');
    const { takeoverMs, disturbed, undisturbed } = await disturbHolder({ adminUrl, times, seed: 21, how });
    expect(takeoverMs).toHaveLength(times);
    expect(disturbed).toEqual(undisturbed);
    expect(undisturbed['log_run']).toHaveLength(3);
    expect(undisturbed['death']?.length).toBeGreaterThan(50);
  },
);

it.skipIf(!hasPgBouncer)('takes over through PgBouncer in transaction mode (needs PgBouncer)', async () => {
  const adminUrl = server.url('postgres');
  const bouncer = await startPgBouncer(adminUrl);
  try {
    const throughProxy = bouncer.through;
    const { disturbed, undisturbed } = await disturbHolder({
      adminUrl,
      throughProxy,
      times: 2,
      seed: 22,
      how: 'kill',
    });
    expect(disturbed).toEqual(undisturbed);
    expect(undisturbed['log_run']).toHaveLength(3);
  } finally {
    await bouncer.stop();
  }
});
