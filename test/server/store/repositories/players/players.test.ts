import { describe, expect, test } from 'vitest';
import { addBan } from '../../../../../src/server/ingest/bans/by-hand.ts';
import { importBanFile } from '../../../../../src/server/ingest/bans/import.ts';
import { importPlayersFile } from '../../../../../src/server/ingest/players/import-players-json.ts';
import { battleyeGuidOf, dayzIdOf } from '../../../../../src/api/identifiers.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import type { PersonIdentity } from '../../../../../src/server/store/repositories/players/person-identity.ts';
import { findProfile } from '../../../../../src/server/store/repositories/players/player-profiles.ts';
import { savePeople } from '../../../../../src/server/store/repositories/players/players.ts';
import { forgetPlayer } from '../../../../../src/server/store/repositories/rights/forget-player.ts';
import {
  contents,
  idA,
  run,
  statsOf,
  steamA,
  temporaryFiles,
  temporaryStore,
} from '../../../ingest/fixture.ts';
import { importLogs } from '../../../../harness/logs.ts';

test.each([
  ['76561198207985320', 'jB_bOEJyq9mvxR8JFgT_HcJvTp5Ia8yUrdy9ee9TBak=', 'a8c7493e762cd03edd55ba90217c9fe4'],
  ['76561197998690788', 'aSeZrScYkwQmCCVYeYx88yUS-RSUQG7g7xYDDomky38=', '3136185f8ab4f601875da476f9a00dbb'],
  ['76561198017124053', 'D1qir9yQ56fWAgSTys-2jelHhSoc_2BXuXIOh4NbH0M=', 'f64c12f305a43379d3618cd8ec90c613'],
])('%s has the DayZ id and BattlEye GUID of real logs', (steamId64, dayzId, guid) => {
  expect([dayzIdOf(steamId64), battleyeGuidOf(steamId64)]).toEqual([dayzId, guid]);
});

const guidA = battleyeGuidOf(steamA);
const cftoolsId = '5f2a3b4c5d6e7f8091a2b3c4';

const save = (db: Database, ...identities: PersonIdentity[]) =>
  db.transaction().execute((tx) =>
    savePeople(
      tx,
      'p',
      identities.map((identity) => ({ identity, names: [], firstSeenAt: null, lastSeenAt: null })),
    ),
  );

/** Every order of a few things. */
function orders<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

test('a new player never gets the id of one who is gone', async () => {
  const db = await temporaryStore();
  const given: (number | null)[] = [];
  for (const identity of [{ cftoolsId }, { steamId64: steamA }]) {
    const { ids } = await save(db, identity);
    given.push(...ids);
    await forgetPlayer(db, { identity });
  }
  given.push(...(await save(db, { steamId64: '76561198207985320' })).ids);
  expect(new Set(given).size).toBe(3);
  expect(given).toEqual(given.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
});

test('of a player who takes a new name all the time, the latest hundred are given', async () => {
  const db = await temporaryStore();
  const days = Array.from({ length: 250 }, (_, day) => day * 86_400_000);
  const names = new Map(days.map((at, day) => [`name ${day}`, { firstSeenAt: at, lastSeenAt: at }]));
  const person = { identity: { steamId64: steamA }, names, firstSeenAt: null, lastSeenAt: null };
  await db.transaction().execute((tx) => savePeople(tx, 'p', [person]));
  const found = await findProfile(db, 'p', { kind: 'steamId64', value: steamA });
  const latest = Array.from({ length: 100 }, (_, i) => `name ${249 - i}`);
  expect(found?.player.aliases.map(({ name }) => name)).toEqual(latest);
});

describe('identities that turn out to be one person', () => {
  const identities: PersonIdentity[] = [
    { dayzId: idA },
    { battleyeGuid: guidA },
    { cftoolsId },
    { steamId64: steamA },
    { cftoolsId, battleyeGuid: guidA },
  ];
  const whole = { steam_id64: steamA, dayz_id: idA, battleye_guid: guidA, cftools_id: cftoolsId };

  test('become one row in every order of arrival', async () => {
    const db = await temporaryStore();
    for (const order of orders(identities)) {
      await db.deleteFrom('player').execute();
      for (const identity of order) await save(db, identity);
      expect(
        await db
          .selectFrom('player')
          .select(['steam_id64', 'dayz_id', 'battleye_guid', 'cftools_id'])
          .execute(),
      ).toEqual([whole]);
    }
  });

  test('become one row when they arrive together', async () => {
    const db = await temporaryStore();
    for (const order of orders(identities)) {
      await db.deleteFrom('player').execute();
      const { ids } = await save(db, ...order);
      expect(new Set(ids).size).toBe(1);
      expect(await db.selectFrom('player').selectAll().execute()).toMatchObject([{ ...whole, id: ids[0] }]);
    }
  });

  test('one identifier claimed for two people stays with whom a stronger one says', async () => {
    const db = await temporaryStore();
    await save(db, { steamId64: steamA, cftoolsId });
    await save(db, { steamId64: '76561198207985320', cftoolsId });
    expect(
      await db.selectFrom('player').select(['steam_id64', 'cftools_id']).orderBy('steam_id64').execute(),
    ).toEqual([
      { steam_id64: steamA, cftools_id: cftoolsId },
      { steam_id64: '76561198207985320', cftools_id: null },
    ]);
  });

  test('projects do not share people', async () => {
    const db = await temporaryStore();
    await db
      .insertInto('project')
      .values({ id: 'q', slug: 'q', name: 'Q', plan: 'PRO', suspended: 0, support: '{}', active: 1 })
      .execute();
    await save(db, { steamId64: steamA });
    await db
      .transaction()
      .execute((tx) =>
        savePeople(tx, 'q', [
          { identity: { steamId64: steamA }, names: [], firstSeenAt: null, lastSeenAt: null },
        ]),
      );
    expect(await db.selectFrom('player').select('project_id').orderBy('id').execute()).toEqual([
      { project_id: 'p' },
      { project_id: 'q' },
    ]);
  });
});

test('stats, names and bans join once, in every order of arrival', async () => {
  const log = run(
    `12:00:00 | Player "In the log"(id=${idA}) is connected`,
    `12:05:00 | Player "In the log" (id=${idA} pos=<1, 2, 3>) committed suicide`,
    `12:10:00 | Player "In the log"(id=${idA}) has been disconnected`,
  );
  const players = (entry: object) =>
    temporaryFiles({
      'players.json': JSON.stringify([
        { stats: { deaths: 1, zombieKills: 5, longestHitMeters: 9.5 }, ...entry },
      ]),
    })[0] as string;
  const byCftools = players({ cftoolsId, name: 'By CFTools' });
  const byGuid = players({ battleyeGuid: guidA, name: 'By GUID' });
  const link = temporaryFiles({ 'x.json': JSON.stringify([{ steamId64: steamA, cftoolsId }]) })[0] as string;
  const [adm] = temporaryFiles({ 'x.ADM': log }) as [string];
  const [bans] = temporaryFiles({ 'bans.txt': `${guidA} -1 cheating\n` }) as [string];
  const steps: ((db: Database) => Promise<unknown>)[] = [
    (db) => importLogs(db, { serverId: 's', files: [adm] }),
    (db) => importPlayersFile(db, { project: 'p', file: byCftools }),
    (db) => importPlayersFile(db, { project: 'p', file: byGuid }),
    (db) => importBanFile(db, { listId: 'bans', file: bans, format: 'battleye' }),
    (db) => importPlayersFile(db, { project: 'p', file: link }),
  ];
  let expected: unknown;
  // Of the 120 orders, 24 that begin and end with each step.
  for (const order of orders(steps).filter((_, i) => i % 5 === 0)) {
    const db = await temporaryStore();
    for (const step of order) await step(db);
    const stored = await contents(db);
    expected ??= stored;
    expect(stored).toEqual(expected);
    expect(await statsOf(db, idA)).toMatchObject({
      deaths: 3,
      suicides: 1,
      zombie_kills: 10,
      longest_hit_meters: 9.5,
      total_play_seconds: 600,
    });
    const banned = await db
      .selectFrom('ban')
      .innerJoin('player', 'player.id', 'ban.player_id')
      .select('dayz_id')
      .execute();
    expect(banned).toEqual([{ dayz_id: idA }]);
    // The same again, now that it is one player.
    for (const step of order) await step(db);
    expect(await contents(db)).toEqual(expected);
    await db.destroy();
  }
});

test('a ban by hand of a SteamID64 finds the player whom only the log knew', async () => {
  const db = await temporaryStore();
  const log = run(`12:00:00 | Player "A"(id=${idA}) is connected`);
  await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': log }) });
  const player = { kind: 'steamId64', value: steamA } as const;
  await addBan(db, { listId: 'bans', player, category: 'OTHER', reason: null, expiresAt: null });
  expect(await db.selectFrom('player').select(['name', 'steam_id64', 'dayz_id']).execute()).toEqual([
    { name: 'A', steam_id64: steamA, dayz_id: idA },
  ]);
});
