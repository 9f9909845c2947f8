import { expect, test } from 'vitest';
import { addBan } from '../../../../../src/server/ingest/bans/by-hand.ts';
import { listBanLists, listBans } from '../../../../../src/server/store/repositories/bans/ban-lists.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
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
