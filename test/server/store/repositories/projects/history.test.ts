import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createCharts } from '../../../../../src/bot/pictures/charts.ts';
import { createPlayerHistory } from '../../../../../src/community/player-history.ts';
import { languageOf } from '../../../../../src/locales/language.ts';
import {
  addSamples,
  deleteOldSamples,
  findLastAnswer,
  listSampleBuckets,
} from '../../../../../src/server/store/repositories/projects/history.ts';
import { saveServerState } from '../../../../harness/server-states.ts';
import * as data from '../../../../embeds/contract-data.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 10, 21, 12);

/** What a check saw at a minute of the hour after noon. */
const at = (minutes: number, players: number | null) => ({
  status: players === null ? ('OFFLINE' as const) : ('ONLINE' as const),
  map: null,
  players,
  maxPlayers: 60,
  checkedAt: noon + minutes * minute,
});

it('sums what the poller saw up in steps: the mean and the peak of what is known', async () => {
  const db = await temporaryStore();
  const seen = [at(0, 10), at(4, 21), at(5, null), at(9, null), at(10, null), at(11, 7), at(20, 0)];
  for (const state of seen) await saveServerState(db, 's', state);
  const buckets = await listSampleBuckets(db, 's', {
    from: noon,
    to: noon + 60 * minute,
    stepMs: 5 * minute,
  });
  expect(buckets.map((bucket) => [(bucket.at - noon) / minute, bucket.players, bucket.peak])).toEqual([
    [0, 15.5, 21],
    [5, null, null],
    [10, 7, 7],
    [20, 0, 0],
  ]);
});

it('gives a chart of a week within the window, and none of another server', async () => {
  const db = await temporaryStore();
  const samples = Array.from({ length: 200 }, (_, index) => ({
    sampledAt: noon - index * 30 * minute,
    players: index % 40,
    maxPlayers: 60,
  }));
  await addSamples(db, 's', samples);
  const charts = createCharts(
    createPlayerHistory(db, () => ({ projects: [] }) as never),
    pino({ level: 'silent' }),
  );
  const asked = { range: '7d', language: languageOf('en-US'), now: noon } as const;
  const drawn = charts.players({ ...asked, servers: [data.server({ id: 's' })] });
  expect((await drawn)?.data.subarray(1, 4).toString()).toBe('PNG');
  expect(await charts.players({ ...asked, servers: [data.server({ id: 'other' })] })).toBeNull();
});

it('knows the last minute in which a server answered', async () => {
  const db = await temporaryStore();
  expect(await findLastAnswer(db, 's')).toBeNull();
  for (const state of [at(0, 10), at(4, 0), at(5, null), at(9, null)]) await saveServerState(db, 's', state);
  expect(await findLastAnswer(db, 's')).toBe(noon + 4 * minute);
});

it('deletes samples after 30 days', async () => {
  const db = await temporaryStore();
  for (const minutes of [0, 1, 2]) await saveServerState(db, 's', at(minutes, 10));
  await deleteOldSamples(db, noon + minute + 30 * 86_400_000);
  const left = await db.selectFrom('server_sample').select('sampled_at').orderBy('sampled_at').execute();
  expect(left.map(({ sampled_at }) => (sampled_at - noon) / minute)).toEqual([1, 2]);
});
