import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { watchUnlistedPlayers, withoutUnlisted } from '../../src/community/unlisted-players.ts';
import { openReader } from '../../src/server/store/engine/database.ts';
import { savePeople } from '../../src/server/store/repositories/players/players.ts';
import { forgetPlayer } from '../../src/server/store/repositories/rights/forget-player.ts';
import { setHidden } from '../../src/server/store/repositories/rights/hide-player.ts';
import { steamA, steamB, temporaryWriter } from '../server/ingest/fixture.ts';

it('leaves hidden and forgotten players out of the list of a query, soon after the change', async () => {
  const { db, location } = await temporaryWriter();
  const known = { firstSeenAt: 1, lastSeenAt: 1 };
  const unlisted = [
    { identity: { steamId64: steamA }, names: [['Annabella', known]] as [string, typeof known][], ...known },
    { identity: { steamId64: steamB }, names: [['Bertram', known]] as [string, typeof known][], ...known },
  ];
  await savePeople(db, 'p', unlisted);
  const reader = openReader(location);
  const lines: string[] = [];
  const watch = await watchUnlistedPlayers(
    reader.db,
    pino({}, { write: (line: string) => void lines.push(line) }),
  );
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

it('leaves the name of a forgotten player out of lists without identifiers', async () => {
  const { db, location } = await temporaryWriter();
  const seen = { firstSeenAt: 1, lastSeenAt: 1 };
  const names = [['Bob', seen]] as [string, typeof seen][];
  await savePeople(db, 'p', [{ identity: { steamId64: steamA }, serverId: 's', names, ...seen }]);
  await forgetPlayer(db, { identity: { steamId64: steamA } });
  // Nobody of that name is stored.
  await forgetPlayer(db, { name: 'Cid' });
  const reader = openReader(location);
  const unlisted = await watchUnlistedPlayers(reader.db, pino({ level: 'silent' }));
  await unlisted.stop();
  await reader.close();
  const isUnlisted = (name: string) => unlisted.isUnlisted({ steamId64: null, name }, 'p');
  expect(['bob', 'CID', 'Dan'].map(isUnlisted)).toEqual([true, true, false]);
});
