import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../../src/demo/random.ts';
import {
  refreshStatistics,
  updateStatistics,
} from '../../../../../src/server/store/repositories/players/statistics.ts';
import {
  markStale,
  refreshStale,
} from '../../../../../src/server/store/repositories/players/stale-statistics.ts';
import { isPostgres } from '../../../../../src/server/store/engine/dialect.ts';
import { runRow } from '../../../../harness/run-rows.ts';
import { saveRuns } from '../../../../harness/save-runs.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

test.each([1, 2, 3])(
  'figures that change with the runs are those that are computed anew (%i)',
  async (seed) => {
    const random = seededRandom(seed);
    const upTo = (most: number): number => Math.floor(random() * (most + 1));
    const servers = ['a', 'b'];
    const db = await temporaryStore(servers);
    const players = [1, 2, 3];
    for (const id of players) await db.insertInto('player').values({ id, project_id: 'p' }).execute();
    const stats = async () => await db.selectFrom('player_stats').selectAll().orderBy('player_id').execute();
    const runs = new Map<string, { bytes: number; rows: Map<string, ReturnType<typeof runRow>> }>();
    for (let step = 0; step < 60; step += 1) {
      const serverId = servers[upTo(1)] as string;
      // Mostly the latest run grows; some earlier ones are imported, or found to be longer.
      const day = random() < 0.7 ? 1 + Math.floor(step / 10) : 1 + upTo(6);
      const header = `2024-01-0${day} 00:00:00`;
      const key = `${serverId} ${header}`;
      const run = runs.get(key) ?? { bytes: 0, rows: new Map() };
      for (const player of players) {
        if (random() < 0.4) continue;
        const had = run.rows.get(String(player));
        // A longer copy may show that less counts.
        const grown = (figure: number): number => Math.max(0, figure + upTo(9) - (random() < 0.1 ? 9 : 0));
        const row = { ...(had ?? runRow({})) };
        for (const figure of Object.keys(row) as (keyof typeof row)[]) row[figure] = grown(row[figure]);
        if (random() < 0.5) row.deaths = had?.deaths ?? 0;
        run.rows.set(String(player), row);
      }
      run.bytes += 1;
      runs.set(key, run);
      await db.transaction().execute(async (tx) => {
        const copy = {
          serverId,
          header,
          startedAt: Date.parse(`${header.replace(' ', 'T')}Z`),
          rest: null,
          bytes: run.bytes,
          digest: 'x',
          prefix: null,
          rows: run.rows,
          deaths: [],
          hasAllDeaths: false,
          age: 'history' as const,
        };
        const { changes } = await saveRuns(tx, [copy], { now: 0, keepsPositions: false });
        await updateStatistics(tx, changes, []);
      });
      const changed = await stats();
      await db.transaction().execute(async (tx) => await refreshStatistics(tx, players));
      expect(changed).toEqual(await stats());
    }
  },
);

test('stale figures are computed once, however many servers are read for the first time at once', async (context) => {
  const db = await temporaryStore();
  if (isPostgres(db)) return context.skip();
  await db.insertInto('player').values({ id: 1, project_id: 'p' }).execute();
  await db
    .insertInto('imported_stats')
    .values({ project_id: 'p', entry: 'e', player_id: 1, player_kills: 7 })
    .execute();
  await markStale(db, [1]);
  await sql`CREATE TRIGGER again BEFORE UPDATE ON player_stats BEGIN SELECT RAISE(ABORT, 'computed again'); END`.execute(
    db,
  );
  await Promise.all([refreshStale(db), refreshStale(db), refreshStale(db)]);
  expect(await db.selectFrom('player_stats').select('player_kills').execute()).toEqual([{ player_kills: 7 }]);
});
