import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { watchPeople, withoutUnlisted } from '../../src/compose/people-watch.ts';
import { openReader } from '../../src/server/store/database.ts';
import { savePeople } from '../../src/server/store/players/players.ts';
import { forgetPlayer } from '../../src/server/store/rights/forget-player.ts';
import { setHidden } from '../../src/server/store/rights/hide-player.ts';
import { steamA, steamB, temporaryWriter } from '../server/ingest/fixture.ts';

it('leaves hidden and forgotten players out of the list of a query, soon after the change', async () => {
  const { db, location } = await temporaryWriter();
  const known = { firstSeenAt: 1, lastSeenAt: 1 };
  const people = [
    { identity: { steamId64: steamA }, names: [['Annabella', known]] as [string, typeof known][], ...known },
    { identity: { steamId64: steamB }, names: [['Bertram', known]] as [string, typeof known][], ...known },
  ];
  await savePeople(db, 'p', people);
  const reader = openReader(location);
  const lines: string[] = [];
  const watch = await watchPeople(reader, pino({}, { write: (line: string) => void lines.push(line) }));
  onTestFinished(async () => {
    await watch.stop();
    await reader.close();
  });
  const players = [
    { steamId64: steamA, name: 'Annabella' },
    { steamId64: steamB, name: 'Bertram' },
  ];
  const online = {
    online: 3,
    listedPlayers: 3,
    players,
    incompletePlayers: 1,
    observedAt: '',
    source: 'GAMEDIG' as const,
    cached: false,
  };
  const listed = () => withoutUnlisted(online, watch, 'p').players.map(({ name }) => name);
  /** As other games' queries list them. */
  const named = () => [' bertram', 'Carl'].map((name) => watch.isUnlisted({ steamId64: null, name }, 'p'));
  expect(listed()).toEqual(['Annabella', 'Bertram']);

  await setHidden(db, { identity: { steamId64: steamB } }, true);
  await expect.poll(listed).toEqual(['Annabella']);
  expect(named()).toEqual([true, false]);
  // Another project lists them.
  expect(withoutUnlisted(online, watch, 'other').players).toHaveLength(2);
  expect(withoutUnlisted(online, watch, 'p')).toMatchObject({
    online: 3,
    listedPlayers: 3,
    incompletePlayers: 2,
  });

  await forgetPlayer(db, { identity: { steamId64: steamA } });
  await expect.poll(listed).toEqual([]);
  expect(watch.isUnlisted({ steamId64: null, name: 'ANNABELLA' }, 'p')).toBe(true);

  await setHidden(db, { identity: { steamId64: steamB } }, false);
  await expect.poll(listed).toEqual(['Bertram']);
  expect(named()).toEqual([false, false]);
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toMatch(/Annabella|Bertram|7656/);
});
