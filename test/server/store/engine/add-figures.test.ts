import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openWriter } from '../../../../src/server/store/engine/database.ts';
import { readLeaderboard } from '../../../../src/server/store/repositories/players/leaderboards.ts';
import { refreshStatistics } from '../../../../src/server/store/repositories/players/statistics.ts';
import { importLogs } from '../../../harness/logs.ts';
import { idA, run, statsOf, temporaryFiles, temporaryWriter } from '../../ingest/fixture.ts';

test('a store of an earlier version gets the figures of a new metric, unknown until logs are counted again', async () => {
  const { db, location } = await temporaryWriter();
  const log = run(
    `12:00:00 | Player "A"(id=${idA}) is connected`,
    `12:05:00 | Player "A" (id=${idA} pos=<1, 2, 3>) committed suicide`,
  );
  const files = temporaryFiles({ 'x.ADM': log });
  await importLogs(db, { serverId: 's', files });
  expect(await statsOf(db, idA)).toMatchObject({ deaths: 1, suicides: 1 });

  await sql`DROP INDEX leaderboard_suicides`.execute(db);
  for (const table of ['player_stats', 'imported_stats', 'log_run_player'])
    await sql`ALTER TABLE ${sql.table(table)} DROP COLUMN suicides`.execute(db);

  const later = await openWriter(location, { busyTimeoutMs: 60_000 });
  onTestFinished(later.close);
  expect(await statsOf(later.db, idA)).toMatchObject({ deaths: 1, suicides: null });
  const { id } = await later.db.selectFrom('player').select('id').executeTakeFirstOrThrow();
  await later.db.transaction().execute((tx) => refreshStatistics(tx, [id]));
  expect(await statsOf(later.db, idA)).toMatchObject({ deaths: 1, suicides: 0 });
  await importLogs(later.db, { serverId: 's', files });
  expect(await statsOf(later.db, idA)).toMatchObject({ deaths: 1, suicides: 1 });
  expect((await readLeaderboard(later.db, 'p', 'SUICIDES', 10)).rows).toMatchObject([{ value: 1 }]);
  // Fails where there is no such index.
  await sql`DROP INDEX leaderboard_suicides`.execute(later.db);
});
