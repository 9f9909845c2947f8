import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { watchUnlistedPlayers, withoutUnlisted } from '../../src/community/unlisted-players.ts';
import { openReader } from '../../src/server/store/engine/database.ts';
import { savePeople } from '../../src/server/store/repositories/players/players.ts';
import { forgetPlayer } from '../../src/server/store/repositories/rights/forget-player.ts';
import { renameServer } from '../../src/server/store/repositories/projects/server-identity.ts';
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
  const listed = () => withoutUnlisted(online, watch, 'p', 's').players.map(({ name }) => name);
  /** As other games' queries list them. */
  const named = () =>
    [' bertram', 'Carl'].map((name) => watch.isUnlisted({ steamId64: null, name }, 'p', 's'));
  expect(listed()).toEqual(['Annabella', 'Bertram']);

  await setHidden(db, { identity: { steamId64: steamB } }, true);
  await expect.poll(listed).toEqual(['Annabella']);
  expect(named()).toEqual([true, false]);
  // Another project lists them.
  expect(withoutUnlisted(online, watch, 'other', 't').players).toHaveLength(2);
  expect(withoutUnlisted(online, watch, 'p', 's')).toMatchObject({
    online: 3,
    listedPlayers: 3,
    incompletePlayers: 2,
  });

  await forgetPlayer(db, { identity: { steamId64: steamA } });
  await expect.poll(listed).toEqual([]);
  expect(watch.isUnlisted({ steamId64: null, name: 'ANNABELLA' }, 'p', 's')).toBe(true);

  await setHidden(db, { identity: { steamId64: steamB } }, false);
  await expect.poll(listed).toEqual(['Bertram']);
  expect(named()).toEqual([false, false]);
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toMatch(/Annabella|Bertram|7656/);
});

it('hides a forgotten name on the servers where that player was seen, and no namesake elsewhere', async () => {
  const { db, location } = await temporaryWriter(['s', 'other-of-p']);
  const project = await db.selectFrom('project').selectAll().executeTakeFirstOrThrow();
  await db
    .insertInto('project')
    .values({ ...project, id: 'q', slug: 'q' })
    .execute();
  const server = await db.selectFrom('server').selectAll().where('id', '=', 's').executeTakeFirstOrThrow();
  await db
    .insertInto('server')
    .values({ ...server, id: 't', project_id: 'q' })
    .execute();
  const seen = { firstSeenAt: 1, lastSeenAt: 1 };
  const bob = (steamId64: string, serverId: string) => [
    { identity: { steamId64 }, serverId, names: [['Bob', seen]] as [string, typeof seen][], ...seen },
  ];
  await savePeople(db, 'p', bob(steamA, 's'));
  await savePeople(db, 'q', bob(steamB, 't'));
  await forgetPlayer(db, { identity: { steamId64: steamA } });

  const watch = async () => {
    const reader = openReader(location);
    const unlisted = await watchUnlistedPlayers(reader.db, pino({ level: 'silent' }));
    await unlisted.stop();
    await reader.close();
    return (slug: string, serverId: string, name = 'bob') =>
      unlisted.isUnlisted({ steamId64: null, name }, slug, serverId);
  };
  let isUnlisted = await watch();
  expect(isUnlisted('p', 's')).toBe(true);
  expect([isUnlisted('p', 'other-of-p'), isUnlisted('q', 't')]).toEqual([false, false]);

  // The server's id may change.
  await renameServer(db, 's', 'renamed');
  isUnlisted = await watch();
  expect([isUnlisted('p', 'renamed'), isUnlisted('p', 's')]).toEqual([true, false]);

  // By name: everybody who is stored under it, where each was seen. Once more changes nothing.
  await forgetPlayer(db, { name: 'Bob' });
  await forgetPlayer(db, { name: 'Bob' });
  isUnlisted = await watch();
  expect([isUnlisted('p', 'renamed'), isUnlisted('q', 't')]).toEqual([true, true]);
  expect(isUnlisted('p', 'other-of-p')).toBe(false);

  // Nobody of that name is stored: only the name is known, so it is hidden on every server.
  await forgetPlayer(db, { name: 'Cid' });
  isUnlisted = await watch();
  expect([isUnlisted('p', 's', 'CID'), isUnlisted('q', 't', 'Cid')]).toEqual([true, true]);
});
