import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { configSchema } from '../../../../../src/config/schema.ts';
import { deleteOldSamples } from '../../../../../src/server/store/repositories/projects/history.ts';
import { reconcile } from '../../../../../src/server/store/repositories/projects/reconcile.ts';
import { openNewDatabase } from '../../../../harness/new-store.ts';

const dayMs = 86_400_000;

test('deletes the samples of many servers after days without a process, some at a time', async () => {
  const store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  onTestFinished(store.close);
  const { db } = store;
  await reconcile(db, configSchema.parse({ projects: [{ slug: 'p', name: 'P' }] }));
  const [servers, minutes] = [20, 3_000];
  await sql`
    INSERT INTO server (id, project_id, position, name, game, host, port, timezone, active)
    SELECT 's' || n, (SELECT id FROM project), n, 'S', 'dayz', 'h', 1, 'UTC', 1
    FROM generate_series(1, ${sql.lit(servers)}) AS n
  `.execute(db);
  const now = 100 * dayMs;
  for (const newest of [now - 30 * dayMs - 1, now]) {
    await sql`
      INSERT INTO server_sample (server_id, sampled_at, players, max_players)
      SELECT 's' || n, ${newest}::bigint - minute * 60000, 10, 60
      FROM generate_series(1, ${sql.lit(servers)}) AS n, generate_series(0, ${sql.lit(minutes - 1)}) AS minute
    `.execute(db);
  }
  const statements = await mostDeletedAtOnce(db, () => deleteOldSamples(db, now));
  expect(statements).toBe(1_000);
  const left = await db.selectFrom('server_sample').select(['sampled_at']).execute();
  expect(left).toHaveLength(servers * minutes);
  expect(Math.min(...left.map(({ sampled_at }) => sampled_at))).toBeGreaterThan(now - 30 * dayMs);
});

/** The rows of the largest deletion, as a trigger counts them. */
async function mostDeletedAtOnce(
  db: Awaited<ReturnType<typeof openNewDatabase>>['db'],
  work: () => Promise<void>,
): Promise<number> {
  await sql`CREATE TABLE deletion (rows bigint)`.execute(db);
  await sql`
    CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO deletion SELECT count(*) FROM gone; RETURN NULL; END $$
  `.execute(db);
  await sql`
    CREATE TRIGGER noted AFTER DELETE ON server_sample REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION note_deletion()
  `.execute(db);
  await work();
  const { rows } = await sql<{ most: number }>`SELECT max(rows)::int AS most FROM deletion`.execute(db);
  return rows[0]?.most ?? 0;
}
