import { describe, expect, test } from 'vitest';
import { battleyeGuidOf } from '../../../../../src/api/identifiers.ts';
import { addBan, liftBan } from '../../../../../src/server/ingest/bans/by-hand.ts';
import { importBanFile } from '../../../../../src/server/ingest/bans/import.ts';
import { importPlayersFile } from '../../../../../src/server/ingest/players/import-players-json.ts';
import { listBanLists, listBans } from '../../../../../src/server/store/repositories/bans/ban-lists.ts';
import type { BanOrigin } from '../../../../../src/server/store/repositories/bans/ban-sources.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { steamA, steamB, temporaryFiles, temporaryStore } from '../../../ingest/fixture.ts';

const guidA = battleyeGuidOf(steamA);
const steam = { kind: 'steamId64', value: steamA } as const;
const guid = { kind: 'battleyeGuid', value: guidA } as const;
const day = 86_400_000;

/** A store whose list is applied on its server. */
async function storeWithServer(): Promise<Database> {
  const db = await temporaryStore();
  await db.updateTable('ban_list').set({ server_ids: '["s"]' }).execute();
  return db;
}

/** What is served of each ban, newest first; the list's count must agree. */
async function served(db: Database, now: number) {
  const bans = (await listBans(db, 'p', 'bans', 100, now)) ?? [];
  expect((await listBanLists(db, 'p', now))[0]?.banCount).toBe(bans.length);
  return bans.map(({ player, category, reason, startsAt, expiresAt, targets }) => ({
    steamId64: player.steamId64,
    category,
    reason,
    startsAt: startsAt === null ? null : Date.parse(startsAt),
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    state: targets[0]?.state,
  }));
}

async function readBans(db: Database, text: string, now: number, origin: BanOrigin = 'config') {
  const [file] = temporaryFiles({ 'bans.txt': text }) as [string];
  await importBanFile(db, { listId: 'bans', file, format: 'battleye', origin, now: () => now });
}

describe('a player whom several sources ban is served once', () => {
  test.each(['config', 'import'] as const)(
    'by hand and by a file (%s), in either order, it is ENFORCED with the reason and start of the one made by hand',
    async (origin) => {
      const byHand = (db: Database) =>
        addBan(db, {
          listId: 'bans',
          player: steam,
          category: 'CHEATING',
          reason: 'aimbot',
          expiresAt: null,
          now: () => 5 * day,
        });
      const byFile = (db: Database) => readBans(db, `${guidA}\n`, 6 * day, origin);
      for (const steps of [
        [byHand, byFile],
        [byFile, byHand],
      ]) {
        const db = await storeWithServer();
        for (const step of steps) await step(db);
        expect(await served(db, 7 * day)).toEqual([
          {
            steamId64: steamA,
            category: 'CHEATING',
            reason: 'aimbot',
            startsAt: 5 * day,
            expiresAt: null,
            state: 'ENFORCED',
          },
        ]);
      }
    },
  );

  test('by the one that ends last, with the earliest start of those that were in force when it began', async () => {
    const db = await storeWithServer();
    const ban = { listId: 'bans', player: steam, category: 'TOXICITY' } as const;
    await addBan(db, { ...ban, reason: 'brief', expiresAt: 10 * day, now: () => 5 * day });
    await readBans(db, `${guidA} ${(20 * day) / 1000} longer\n`, 6 * day);
    expect(await served(db, 7 * day)).toMatchObject([
      { reason: 'longer', startsAt: 5 * day, expiresAt: 20 * day, state: 'ENFORCED' },
    ]);
    // That it has ended changes nothing of the other.
    expect(await served(db, 11 * day)).toMatchObject([{ reason: 'longer', expiresAt: 20 * day }]);
    await addBan(db, { ...ban, reason: 'long after', expiresAt: null, now: () => 30 * day });
    expect(await served(db, 31 * day)).toMatchObject([
      { reason: 'long after', startsAt: 30 * day, expiresAt: null, state: 'PENDING' },
    ]);
  });

  test('without the reason of one that ends earlier', async () => {
    const db = await storeWithServer();
    await addBan(db, {
      listId: 'bans',
      player: steam,
      category: 'TOXICITY',
      reason: 'swearing, two days',
      expiresAt: 10 * day,
      now: () => 5 * day,
    });
    await readBans(db, `${guidA}\n`, 6 * day);
    expect(await served(db, 7 * day)).toMatchObject([{ category: 'OTHER', reason: null, expiresAt: null }]);
  });

  test('not since an earlier ban that had ended before it began', async () => {
    const db = await storeWithServer();
    const ban = { listId: 'bans', player: steam, category: 'TOXICITY', reason: 'old' } as const;
    await addBan(db, { ...ban, expiresAt: 10 * day, now: () => 5 * day });
    await readBans(db, `${guidA} -1 new\n`, 12 * day);
    expect(await served(db, 13 * day)).toMatchObject([{ reason: 'new', startsAt: null }]);
  });

  test('and no longer as ENFORCED when the file’s ban has ended or was taken out', async () => {
    const db = await storeWithServer();
    await addBan(db, { listId: 'bans', player: steam, category: 'OTHER', reason: null, expiresAt: null });
    const [file] = temporaryFiles({
      'bans.txt': `${guidA} ${day / 1000} x\n${guidA.replace(/^3/, '4')}\n`,
    }) as [string];
    const options = { listId: 'bans', file, format: 'battleye', origin: 'config' } as const;
    await importBanFile(db, options);
    const state = async (now: number) =>
      (await served(db, now)).find(({ steamId64 }) => steamId64 === steamA)?.state;
    expect(await state(day - 1)).toBe('ENFORCED');
    expect(await state(day)).toBe('PENDING');
  });

  test('by what remains when the one that was served is lifted', async () => {
    const db = await storeWithServer();
    await readBans(db, `${guidA} ${(9 * day) / 1000} file\n`, day);
    await addBan(db, { listId: 'bans', player: guid, category: 'OTHER', reason: 'hand', expiresAt: null });
    expect(await served(db, 2 * day)).toMatchObject([{ reason: 'hand', expiresAt: null }]);
    await liftBan(db, { listId: 'bans', player: guid });
    expect(await served(db, 2 * day)).toMatchObject([{ reason: 'file', expiresAt: 9 * day }]);
  });

  test('also when two players turn out to be one', async () => {
    const db = await storeWithServer();
    const cftoolsId = '5f2a3b4c5d6e7f8091a2b3c4';
    await readBans(db, `${guidA} -1 file\n`, day);
    const ban = { listId: 'bans', category: 'OTHER', reason: 'hand', expiresAt: 5 * day } as const;
    await addBan(db, { ...ban, player: { kind: 'cftoolsId', value: cftoolsId }, now: () => day });
    expect(await served(db, 2 * day)).toHaveLength(2);
    const [link] = temporaryFiles({ 'x.json': JSON.stringify([{ steamId64: steamA, cftoolsId }]) }) as [
      string,
    ];
    await importPlayersFile(db, { project: 'p', file: link });
    expect(await served(db, 2 * day)).toMatchObject([{ reason: 'file', startsAt: day, expiresAt: null }]);
  });
});

test('bans of names alone are served each by itself', async () => {
  const db = await temporaryStore();
  const [file] = temporaryFiles({ 'ban.txt': `${steamA}\n${steamB}\nA\nB\n` }) as [string];
  await importBanFile(db, { listId: 'bans', file, format: 'dayz' });
  expect(await served(db, day)).toHaveLength(4);
});

test('of bans that began at the same moment the one stored last comes first', async () => {
  const db = await temporaryStore();
  const guids = ['1', '2', '3'].map((end) => guidA.replace(/.$/, end));
  for (const guid of guids) await readBans(db, `${guid} -1 ${guid}\n`, day);
  expect((await served(db, day)).map(({ reason }) => reason)).toEqual(guids.toReversed());
  expect(await listBans(db, 'p', 'bans', 1, day)).toMatchObject([{ reason: guids[2] }]);
});
