import { expect, test } from 'vitest';
import { runRow } from '../../../../harness/run-rows.ts';
import { saveRuns } from '../../../../harness/save-runs.ts';
import { knownRuns } from '../../../../../src/server/store/repositories/logs/run-copies.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

test.each([99, 100])(
  'a copy of %i bytes does not take the place of one of 100 that another process brought',
  async (bytes) => {
    const db = await temporaryStore();
    await db.insertInto('player').values({ id: 1, project_id: 'p' }).execute();
    const copy = (bytes: number, playerKills: number) => ({
      serverId: 's',
      header: '2024-05-01 12:00:00',
      startedAt: 0,
      bytes,
      digest: `digest of ${playerKills}`,
      prefix: null,
      rest: null,
      rows: new Map([['1', runRow({ playerKills })]]),
      deaths: [],
      hasAllDeaths: true,
      age: 'history' as const,
    });
    await db.transaction().execute((tx) => saveRuns(tx, [copy(100, 5)], { now: 0, keepsPositions: false }));
    const { changes } = await db
      .transaction()
      .execute((tx) => saveRuns(tx, [copy(bytes, 2)], { now: 0, keepsPositions: false }));
    expect(changes).toEqual([]);
    expect(await knownRuns(db, 's')).toEqual(
      new Map([['2024-05-01 12:00:00', { bytes: 100, digest: 'digest of 5', rest: null }]]),
    );
    expect(await db.selectFrom('log_run_player').select('player_kills').execute()).toEqual([
      { player_kills: 5 },
    ]);
  },
);
