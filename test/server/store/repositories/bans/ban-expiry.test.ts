import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addBan } from '../../../../../src/server/ingest/bans/by-hand.ts';
import {
  createBanExpiry,
  findNextBanExpiry,
  retireEndedBans,
} from '../../../../../src/server/store/repositories/bans/ban-expiry.ts';
import { listBanLists, listBans } from '../../../../../src/server/store/repositories/bans/ban-lists.ts';
import { type Database, openReader, openWriter } from '../../../../../src/server/store/engine/database.ts';
import { storeBan, storePlayers } from '../../../../harness/northwood.ts';
import { steamA, steamB, temporaryFolder, temporaryStore } from '../../../ingest/fixture.ts';

const players = [steamA, steamB, '76561198017124053'].map((value) => ({ kind: 'steamId64', value }) as const);

async function ban(db: Database, player: number, expiresAt: number | null, at = 0): Promise<void> {
  const whom = players[player] as (typeof players)[number];
  const said = { category: 'OTHER', reason: `until ${expiresAt}`, expiresAt, now: () => at } as const;
  await addBan(db, { listId: 'bans', player: whom, ...said });
}

async function servedAt(db: Database, now: number): Promise<(string | null)[]> {
  const bans = (await listBans(db, 'p', 'bans', 100, now)) ?? [];
  expect((await listBanLists(db, 'p', now))[0]?.banCount).toBe(bans.length);
  return bans.map(({ reason }) => reason);
}

test('retiring bans that ended changes nothing of what is served, before and after any moment', async () => {
  const db = await temporaryStore();
  await ban(db, 0, 100);
  await ban(db, 1, 200, 1);
  await ban(db, 2, null, 2);
  const moments = [99, 100, 150, 200, 201];
  const before = [];
  for (const now of moments) before.push(await servedAt(db, now));
  expect(before.map(({ length }) => length)).toEqual([3, 2, 2, 1, 1]);
  for (const [at, now] of moments.entries()) {
    await retireEndedBans(db, now);
    expect(await servedAt(db, now)).toEqual(before[at]);
  }
});

test('a ban that was retired is served again when it is renewed', async () => {
  const db = await temporaryStore();
  await ban(db, 0, 100);
  await retireEndedBans(db, 150);
  expect(await servedAt(db, 150)).toEqual([]);
  await ban(db, 0, 300, 160);
  expect(await servedAt(db, 170)).toEqual(['until 300']);
});

test('bans that were retired while the clock was ahead are served again', async () => {
  const db = await temporaryStore();
  await ban(db, 0, 100);
  await ban(db, 1, 200, 1);
  await storeBan(db, 'bans', { key: 'without an id', expiresAt: 200 });
  const served = await servedAt(db, 50);
  expect(served).toHaveLength(3);
  const keepInStep = createBanExpiry(db);
  await keepInStep(1_000);
  expect(await servedAt(db, 50)).toEqual([]);
  await keepInStep(50);
  expect(await servedAt(db, 50)).toEqual(served);
  await keepInStep(1_000);
  // The next process does not know that the clock was ahead.
  await createBanExpiry(db)(150);
  expect(await servedAt(db, 150)).toHaveLength(2);
});

test('with nothing to retire nothing is committed, so that what a service keeps stays', async () => {
  const file = join(temporaryFolder(), 'store.sqlite');
  const { db, close } = await openWriter(file, { busyTimeoutMs: 1_000 });
  onTestFinished(close);
  const reader = openReader(file);
  onTestFinished(reader.close);
  const version = reader.dataVersion();
  await createBanExpiry(db)(Date.now());
  expect(reader.dataVersion()).toBe(version);
});

test('the next end is that of any ban not lifted, in any list of the project', async () => {
  const db = await temporaryStore();
  expect(await findNextBanExpiry(db, 'p', 0)).toBeNull();
  await ban(db, 0, 100);
  await ban(db, 1, null);
  const [second] = await db.selectFrom('ban_list').selectAll().execute();
  await db
    .insertInto('ban_list')
    .values({ ...(second as NonNullable<typeof second>), id: 'more' })
    .execute();
  const [playerId] = (await storePlayers(db, 'p', [1])) as [number];
  await storeBan(db, 'more', { key: 'soon', playerId, expiresAt: 50 });
  await storeBan(db, 'more', { key: 'lifted', playerId, expiresAt: 20, liftedAt: 10 });
  // Another ban of the player is served, and its reason may be what this one adds.
  await db
    .insertInto('ban')
    .values({
      ...(await db
        .selectFrom('ban')
        .selectAll()
        .where('source_key', '=', 'soon')
        .$narrowType<{ first_seen_at: number }>()
        .executeTakeFirstOrThrow()),
      id: 1_000,
      source_key: 'behind',
      expires_at: 30,
      served: 0,
    })
    .execute();
  expect(await findNextBanExpiry(db, 'p', 0)).toBe(30);
  expect(await findNextBanExpiry(db, 'p', 30)).toBe(50);
  expect(await findNextBanExpiry(db, 'p', 50)).toBe(100);
  expect(await findNextBanExpiry(db, 'p', 100)).toBeNull();
  expect(await findNextBanExpiry(db, 'another', 0)).toBeNull();
});
