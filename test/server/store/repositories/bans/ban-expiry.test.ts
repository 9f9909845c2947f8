import { expect, test } from 'vitest';
import { addBan } from '../../../../../src/server/ingest/bans/by-hand.ts';
import { findNextBanExpiry } from '../../../../../src/server/store/repositories/bans/ban-expiry.ts';
import { listBanLists, listBans } from '../../../../../src/server/store/repositories/bans/ban-lists.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { storeBan, storePlayers } from '../../../../harness/northwood.ts';
import { steamA, steamB, temporaryStore } from '../../../ingest/fixture.ts';

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

test('bans are served until they end, and again when they are renewed', async () => {
  const db = await temporaryStore();
  await ban(db, 0, 100);
  await ban(db, 1, 200, 1);
  await ban(db, 2, null, 2);
  const served = [];
  for (const now of [99, 100, 150, 200, 201]) served.push((await servedAt(db, now)).length);
  expect(served).toEqual([3, 2, 2, 1, 1]);
  await ban(db, 0, 300, 160);
  expect(await servedAt(db, 201)).toEqual(['until 300', 'until null']);
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
