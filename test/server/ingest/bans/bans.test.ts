import { join } from 'node:path';
import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addBan, liftBan } from '../../../../src/server/ingest/bans/by-hand.ts';
import { importBanFile } from '../../../../src/server/ingest/bans/import.ts';
import { categoryOf } from '../../../../src/server/ingest/bans/category.ts';
import type { BanFormat } from 'dayz-files';
import { importPlayersFile } from '../../../../src/server/ingest/players/import-players-json.ts';
import type { BanOrigin } from '../../../../src/server/store/repositories/bans/ban-sources.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { contents, idA, idB, samples, steamA, temporaryFiles, temporaryStore } from '../fixture.ts';

const bansOf = (db: Database) =>
  db
    .selectFrom('ban')
    .leftJoin('player', 'player.id', 'ban.player_id')
    .select([
      'dayz_id',
      'steam_id64',
      'battleye_guid',
      'player_name',
      'category',
      'reason',
      'starts_at',
      'expires_at',
      'lifted_at',
      'state',
    ])
    .orderBy('ban.id')
    .execute();

async function imported(text: string, format: BanFormat, origin?: BanOrigin) {
  const db = await temporaryStore();
  const [file] = temporaryFiles({ bans: text }) as [string];
  const report = await importBanFile(db, {
    listId: 'bans',
    file,
    format,
    ...(origin && { origin }),
    now: () => 1000,
  });
  return { db, file, report, bans: await bansOf(db) };
}

describe('the sample files', () => {
  test.each([
    ['battleye-arma.txt', 'battleye', { entries: 48, ipBans: 36, unread: 0 }],
    ['battleye-arma-2.txt', 'battleye', { entries: 19, ipBans: 0, unread: 0 }],
    ['battleye-dayz.txt', 'battleye', { entries: 1, ipBans: 1, unread: 0 }],
    ['ban-stock.txt', 'dayz', { entries: 1, ipBans: 0, unread: 2 }],
    ['ban.txt', 'dayz', { entries: 2, ipBans: 0, unread: 2 }],
  ] as const)('%s', async (name, format, counts) => {
    const db = await temporaryStore();
    const options = { listId: 'bans', file: join(samples, 'bans', name), format };
    expect(await importBanFile(db, options)).toMatchObject({ ...counts, added: counts.entries, lifted: 0 });
    const before = await contents(db);
    expect(await importBanFile(db, options)).toMatchObject({
      added: 0,
      updated: 0,
      lifted: 0,
      unchanged: counts.entries,
    });
    expect(await contents(db)).toEqual(before);
  });

  test('the example id of the game’s own file, which runs on into dashes, bans nobody', async () => {
    const db = await temporaryStore();
    await importBanFile(db, { listId: 'bans', file: join(samples, 'bans', 'ban-stock.txt'), format: 'dayz' });
    expect(await bansOf(db)).toMatchObject([
      { dayz_id: 'mveXLJoEOQO8yfo0ONiHhJy5NKMiG8Pmu-Ii_7L-JJY=', reason: 'Tjodsia vq t uatkwzgjh JC' },
    ]);
  });
});

test('the example of the game’s own file is no ban beside real ones, and the last real line lifts the last ban', async () => {
  const example = '1111111111112222222222222333333333XXXXXXAAAA\t//Example of a character ID\n';
  const { db, file, report } = await imported(`${example}${idB}\n`, 'dayz');
  expect(report).toMatchObject({ entries: 1, unread: 1 });
  expect(await bansOf(db)).toMatchObject([{ dayz_id: idB, lifted_at: null }]);
  writeFileSync(file, example);
  expect(await importBanFile(db, { listId: 'bans', file, format: 'dayz' })).toMatchObject({ lifted: 1 });
});

describe('formats', () => {
  test('BattlEye: GUID, end and reason; -1 and a bare GUID are permanent; addresses are only counted', async () => {
    const { bans, report } = await imported(
      [
        '3136185F8AB4F601875DA476F9A00DBB 1633224724 Cheating, see log',
        'a8c7493e762cd03edd55ba90217c9fe4 -1 toxic',
        'f64c12f305a43379d3618cd8ec90c613',
        '203.0.113.9 -1 cheater',
        'nonsense',
        '',
      ].join('\r\n'),
      'battleye',
    );
    expect(report).toMatchObject({ entries: 3, ipBans: 1, unread: 1 });
    expect(bans).toMatchObject([
      {
        battleye_guid: '3136185f8ab4f601875da476f9a00dbb',
        expires_at: 1_633_224_724_000,
        reason: 'Cheating, see log',
        category: 'CHEATING',
        starts_at: null,
        state: 'ENFORCED',
      },
      { expires_at: null, reason: 'toxic', category: 'TOXICITY' },
      { expires_at: null, reason: null, category: 'OTHER' },
    ]);
  });

  test('DayZ: ids, SteamID64s and names, with comments', async () => {
    const { bans, report } = await imported(
      `// a comment\n# Base griefers\n${idB}\t// griefing a base\n${steamA}\nSome Name // rude\n${idA}-----\n`,
      'dayz',
    );
    expect(report).toMatchObject({ entries: 3, unread: 2 });
    expect(bans).toMatchObject([
      { dayz_id: idB, reason: 'griefing a base', category: 'GRIEFING' },
      { steam_id64: steamA, dayz_id: idA, battleye_guid: '3136185f8ab4f601875da476f9a00dbb', reason: null },
      { dayz_id: null, player_name: 'Some Name', reason: 'rude' },
    ]);
  });

  test('VPP: a JSON list; its names become known, its dates are UTC', async () => {
    const ban = (more: object) => ({
      playerName: 'Bad',
      Steam64Id: steamA,
      GUID: idA,
      banReason: 'duping',
      issuedBy: 'x',
      ...more,
    });
    const date = { Hour: 6, Minute: 30, Year: 2030, Month: 2, Day: 1, Permanent: 0 };
    const { db, bans, report } = await imported(
      JSON.stringify({
        m_BanList: [
          ban({ expirationDate: date }),
          ban({ playerName: 'Worse', Steam64Id: '', GUID: idB, expirationDate: { ...date, Permanent: 1 } }),
          ban({ Steam64Id: '', GUID: '' }),
          'nonsense',
        ],
      }),
      'vpp',
    );
    expect(report).toMatchObject({ entries: 2, unread: 2 });
    expect(bans).toMatchObject([
      {
        steam_id64: steamA,
        player_name: 'Bad',
        category: 'EXPLOITING',
        expires_at: Date.UTC(2030, 1, 1, 6, 30),
      },
      { dayz_id: idB, player_name: 'Worse', expires_at: null },
    ]);
    expect(await db.selectFrom('player').select('name').orderBy('id').execute()).toEqual([
      { name: 'Bad' },
      { name: 'Worse' },
    ]);
  });

  test.each([
    ['Cheater', 'CHEATING'],
    ['aimbot + esp', 'CHEATING'],
    ['desperate times', 'OTHER'],
    ['ban evasion of a cheater', 'EVASION'],
    ['Glitching through walls', 'EXPLOITING'],
    ['RDM', 'GRIEFING'],
    ['racist chat', 'TOXICITY'],
    ['Uldpiq Lns', 'OTHER'],
    [null, 'OTHER'],
  ])('%s is %s', (reason, category) => expect(categoryOf(reason)).toBe(category));
});

describe('a list that changes', () => {
  const a = '3136185f8ab4f601875da476f9a00dbb';
  const b = 'a8c7493e762cd03edd55ba90217c9fe4';

  test('new lines add, removed lines lift, lines that come back are in force again, changes update', async () => {
    const { db, file } = await imported(`${a} -1 one\n${b} -1 two\n`, 'battleye');
    const again = async (text: string, now: number) => {
      writeFileSync(file, text);
      const { added, updated, lifted, unchanged } = await importBanFile(db, {
        listId: 'bans',
        file,
        format: 'battleye',
        now: () => now,
      });
      return { added, updated, lifted, unchanged };
    };
    expect(await again(`${b} 2000000000 other\n`, 2000)).toEqual({
      added: 0,
      updated: 1,
      lifted: 1,
      unchanged: 0,
    });
    expect(await bansOf(db)).toMatchObject([
      { battleye_guid: a, lifted_at: 2000 },
      { battleye_guid: b, lifted_at: null, reason: 'other', expires_at: 2_000_000_000_000 },
    ]);
    expect(await again(`${a} -1 one\n${b} 2000000000 other\n`, 3000)).toEqual({
      added: 1,
      updated: 0,
      lifted: 0,
      unchanged: 1,
    });
    expect(await again('', 4000)).toEqual({ added: 0, updated: 0, lifted: 2, unchanged: 0 });
    expect(await again('', 5000)).toEqual({ added: 0, updated: 0, lifted: 0, unchanged: 0 });
    expect((await bansOf(db)).map((ban) => ban.lifted_at)).toEqual([4000, 4000]);
  });

  test('two files of one list do not lift each other’s bans', async () => {
    const { db } = await imported(`${a} -1 one\n`, 'battleye');
    const [other] = temporaryFiles({ 'ban.txt': idB }) as [string];
    await importBanFile(db, { listId: 'bans', file: other, format: 'dayz' });
    expect((await bansOf(db)).map((ban) => ban.lifted_at)).toEqual([null, null]);
  });

  test('the same file imported from another place is the same file', async () => {
    const { db } = await imported(`${a} -1 one\n${b} -1 two\n`, 'battleye');
    const [copy] = temporaryFiles({ bans: `${a} -1 one\n` }) as [string];
    expect(await importBanFile(db, { listId: 'bans', file: copy, format: 'battleye' })).toMatchObject({
      added: 0,
      unchanged: 1,
      lifted: 1,
    });
    expect(await bansOf(db)).toHaveLength(2);
  });

  test('a file that went away, is of another format or no text keeps the bans', async () => {
    const { db, file } = await imported(`${a} -1 one\n`, 'battleye');
    const read = () => importBanFile(db, { listId: 'bans', file, format: 'battleye' });
    writeFileSync(file, 'hello\nworld\n');
    await expect(read()).rejects.toThrow(/bans: is not a ban file of the format "battleye"/);
    writeFileSync(file, Buffer.from([0, 1, 2, 3]));
    await expect(read()).rejects.toThrow(/is not a text file/);
    rmSync(file);
    await expect(read()).rejects.toThrow(/no such file/);
    expect(await bansOf(db)).toMatchObject([{ battleye_guid: a, lifted_at: null }]);
  });

  test('an unknown list is an error', async () => {
    const db = await temporaryStore();
    await expect(importBanFile(db, { listId: 'x', file: 'y', format: 'dayz' })).rejects.toThrow(
      'no ban list "x"',
    );
  });
});

describe('bans by hand', () => {
  test('are pending from now on, replace each other, and can be lifted', async () => {
    const db = await temporaryStore();
    const player = { kind: 'steamId64', value: steamA } as const;
    const ban = {
      listId: 'bans',
      player,
      category: 'CHEATING',
      reason: 'x',
      expiresAt: null,
      now: () => 5,
    } as const;
    await addBan(db, ban);
    await addBan(db, { ...ban, reason: 'y', expiresAt: 99 });
    expect(await bansOf(db)).toMatchObject([
      { steam_id64: steamA, reason: 'y', starts_at: 5, expires_at: 99, state: 'PENDING', lifted_at: null },
    ]);
    expect(await liftBan(db, { listId: 'bans', player, now: () => 7 })).toEqual({ lifted: 1, stillIn: [] });
    expect(await liftBan(db, { listId: 'bans', player, now: () => 8 })).toEqual({ lifted: 0, stillIn: [] });
    expect(await bansOf(db)).toMatchObject([{ lifted_at: 7 }]);
  });

  test('lifting one that stands in a file says so, also by the GUID of a SteamID64', async () => {
    const { db, file } = await imported(`${steamA}\n`, 'dayz', 'config');
    const player = { kind: 'battleyeGuid', value: '3136185f8ab4f601875da476f9a00dbb' } as const;
    expect(await liftBan(db, { listId: 'bans', player })).toEqual({ lifted: 0, stillIn: [`dayz:${file}`] });
    expect(await bansOf(db)).toMatchObject([{ lifted_at: null }]);
  });

  test('by SteamID64 and by GUID are one ban', async () => {
    const db = await temporaryStore();
    const ban = { listId: 'bans', category: 'CHEATING', expiresAt: null, now: () => 5 } as const;
    const guid = { kind: 'battleyeGuid', value: '3136185f8ab4f601875da476f9a00dbb' } as const;
    const steam = { kind: 'steamId64', value: steamA } as const;
    await addBan(db, { ...ban, player: guid, reason: 'one' });
    await addBan(db, { ...ban, player: steam, reason: 'two' });
    await liftBan(db, { listId: 'bans', player: steam });
    await addBan(db, { ...ban, player: guid, reason: 'three', expiresAt: 1e15 });
    expect(await bansOf(db)).toMatchObject([
      { steam_id64: steamA, reason: 'three', expires_at: null, lifted_at: null },
    ]);
  });

  test('of two players who turn out to be one are one from the next ban on', async () => {
    const db = await temporaryStore();
    const ban = { listId: 'bans', category: 'OTHER', reason: null, expiresAt: null, now: () => 5 } as const;
    const cftoolsId = '5f2a3b4c5d6e7f8091a2b3c4';
    const cftools = { kind: 'cftoolsId', value: cftoolsId } as const;
    await addBan(db, { ...ban, player: { kind: 'steamId64', value: steamA } });
    await addBan(db, { ...ban, player: cftools });
    const [link] = temporaryFiles({ 'x.json': JSON.stringify([{ steamId64: steamA, cftoolsId }]) }) as [
      string,
    ];
    await importPlayersFile(db, { project: 'p', file: link });
    await addBan(db, { ...ban, player: cftools, reason: 'again' });
    const inForce = (await bansOf(db)).filter(({ lifted_at }) => lifted_at === null);
    expect(inForce).toMatchObject([{ steam_id64: steamA, reason: 'again' }]);
    expect(await liftBan(db, { listId: 'bans', player: cftools })).toEqual({ lifted: 1, stillIn: [] });
  });

  test('and those of a file that was imported are lifted together; those of the config’s files stay', async () => {
    const { db } = await imported(`${steamA}\n`, 'dayz');
    const [file] = temporaryFiles({ 'ban.txt': steamA }) as [string];
    await importBanFile(db, { listId: 'bans', file, format: 'dayz', origin: 'config' });
    const player = { kind: 'steamId64', value: steamA } as const;
    await addBan(db, { listId: 'bans', player, category: 'OTHER', reason: null, expiresAt: null });
    expect(await liftBan(db, { listId: 'bans', player })).toEqual({ lifted: 2, stillIn: [`dayz:${file}`] });
  });

  test('lifting the ban of somebody unknown creates nobody', async () => {
    const db = await temporaryStore();
    const player = { kind: 'steamId64', value: steamA } as const;
    expect(await liftBan(db, { listId: 'bans', player })).toEqual({ lifted: 0, stillIn: [] });
    expect(await db.selectFrom('player').selectAll().execute()).toEqual([]);
  });
});
