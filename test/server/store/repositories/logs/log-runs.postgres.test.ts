import { CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { storedRuns } from '../../../../../src/server/store/repositories/logs/log-runs.ts';
import { openNewDatabase } from '../../../../harness/new-store.ts';

test.each([
  ['each', `'header ' || id`],
  ['all of them with one', `'header'`],
])(
  'a run is found by its header, although each server had one run as PostgreSQL last counted, %s',
  async (_, header) => {
    const { db, close } = await openNewDatabase({ busyTimeoutMs: 10_000 });
    await db.transaction().execute(async (tx) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(tx);
      await sql`
      INSERT INTO log_run (server_id, header, started_at, file_name, bytes, digest, lines, unread_lines, imported_at)
      SELECT 'server-' || id, ${sql.raw(header)}, 1, 'file', 1, 'digest', 1, 0, 1 FROM generate_series(1, 300) AS id
    `.execute(tx);
      await sql`ANALYZE log_run`.execute(tx);
      // As in a transaction of the follower.
      await sql`SET LOCAL enable_seqscan = off`.execute(tx);
      for (const statement of storedRuns([{ serverId: 'server-1', header: 'header 1' }])) {
        const { sql: text, parameters } = statement.compile(tx);
        const plan = await tx.executeQuery(CompiledQuery.raw(`EXPLAIN ${text}`, [...parameters]));
        expect(JSON.stringify(plan.rows)).toContain('log_run_server_id_header_key');
      }
    });
    await close();
  },
);
