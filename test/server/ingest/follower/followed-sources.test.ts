import { expect, test } from 'vitest';
import {
  FollowedSources,
  followedSource,
  isPlaced,
} from '../../../../src/server/ingest/follower/followed-sources.ts';
import { plansOf } from '../../../../src/server/ingest/follower/source-plans.ts';
import { readSourceStates } from '../../../../src/server/store/repositories/logs/source-states.ts';
import { temporaryStore } from '../fixture.ts';

const minuteMs = 60_000;
const place = { type: 'ftp', host: 'h', port: 21, username: 'a', password: 'pw-71c' } as const;
const at = (changes: object) => ({ ...place, ...changes });

test('a service stores what it follows at other hosts, which holds for minutes and for that place alone', async () => {
  const db = await temporaryStore();
  const sources = plansOf({
    servers: [
      { id: 's', logs: '/logs' },
      { id: 'here', logs: '/logs' },
    ],
    banlists: [{ id: 'b', sources: [{ file: '/bans.txt', filesOf: 's', format: 'battleye' }] }],
    places: new Map([['s', place]]),
  }).filter(isPlaced);
  expect(sources.map(({ kind, id, path }) => [kind, id, path])).toEqual([
    ['logs', 's', '/logs'],
    ['bans', 'b', 's:/bans.txt'],
  ]);
  const now = 1_000_000_000;
  const followed = new FollowedSources(db, { answeredAt: () => now - 5 }, () => now);
  await followed.store(sources, true);
  const states = await readSourceStates(db);
  expect(JSON.stringify(states)).not.toContain(place.password);
  const [logs, bans] = sources as [(typeof sources)[number], (typeof sources)[number]];
  expect(followedSource(states, logs, now + 2 * minuteMs)).toEqual({ answeredAt: now - 5 });
  expect(followedSource(states, bans, now)).toEqual({ answeredAt: now - 5 });
  // Of a service that was killed.
  expect(followedSource(states, logs, now + 4 * minuteMs)).toBeNull();
  expect(followedSource(states, { ...logs, path: '/other' }, now)).toBeNull();
  expect(followedSource(states, { ...logs, place: at({ username: 'b' }) }, now)).toBeNull();
  expect(followedSource(states, { ...logs, place: at({ password: 'another' }) }, now)).not.toBeNull();
  await followed.forget();
  expect(followedSource(await readSourceStates(db), logs, now)).toBeNull();
});
