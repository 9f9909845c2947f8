import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createDatabase } from '../../../../harness/postgres-databases.ts';
import { hasPgBouncer, startPgBouncer } from '../../../../harness/pgbouncer.ts';

it.skipIf(!hasPgBouncer)(
  'the example of deploy/ lets more clients in than the database has connections (needs PgBouncer)',
  async () => {
    const database = await createDatabase(inject('postgresUrl'));
    onTestFinished(database.drop);
    const bouncer = await startPgBouncer(database.url);
    onTestFinished(bouncer.stop);
    const clients = Array.from(
      { length: 20 },
      () => new Client({ connectionString: bouncer.through(database.url) }),
    );
    onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))));
    const pids = new Set<number>();
    for (const client of clients) {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      pids.add(rows[0]?.pid ?? 0);
    }
    // None has been ended, and in transaction mode none keeps a connection.
    expect(pids.size).toBeLessThanOrEqual(6);
  },
);
