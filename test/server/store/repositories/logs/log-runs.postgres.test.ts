import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { storedRuns } from '../../../../../src/server/store/repositories/logs/log-runs.ts';
import { openNewDatabase } from '../../../../harness/new-store.ts';

test.each([
  ['three servers', 3, `'header ' || id`],
  ['hundreds of servers', 300, `'header ' || id`],
  ['servers that started together', 300, `'header'`],
])(
  'runs are found by their keys for good, as planned with one run of each of %s',
  async (_, servers, header) => {
    const { db, close } = await openNewDatabase({ busyTimeoutMs: 10_000 });
    await db.transaction().execute(async (tx) => {
      const ids = sql`generate_series(1, ${sql.lit(servers)}) AS id`;
      await sql`SET LOCAL session_replication_role = replica`.execute(tx);
      await sql`
      INSERT INTO log_run (server_id, header, started_at, file_name, bytes, digest, lines, unread_lines, imported_at)
      SELECT 'server-' || id, ${sql.raw(header)}, 1, 'file', 1, 'digest', 1, 0, 1 FROM ${ids}
    `.execute(tx);
      await sql`ANALYZE log_run`.execute(tx);
      // As in a transaction of the follower, whose statements are kept.
      await sql`SET LOCAL enable_seqscan = off`.execute(tx);
      await sql`SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx);
      for (const [at, statement] of storedRuns([{ serverId: 'server-1', header: 'header 1' }]).entries()) {
        await sql.raw(`PREPARE kept_${at} AS ${statement.compile(db).sql}`).execute(tx);
        const { rows } = await sql.raw(`EXPLAIN EXECUTE kept_${at}('{}', '{}')`).execute(tx);
        const plan = JSON.stringify(rows);
        expect(plan).toContain('log_run_server_id_header_key');
        expect(plan).not.toMatch(/Hash Join|Merge Join|Join Filter/);
      }
    });
    await close();
  },
);
