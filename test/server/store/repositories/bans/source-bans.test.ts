import { expect, test } from 'vitest';
import { replaceSourceBans } from '../../../../../src/server/store/repositories/bans/source-bans.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

interface Entry {
  key: string;
  reason: string;
}

const entries = (count: number, reason: string): Entry[] =>
  Array.from({ length: count }, (_, at) => ({ key: `k${at}`, reason }));

/**
 * Reads a source.
 * @param ends after how many transactions the process ends
 * @param meanwhile what happens before the second transaction
 */
async function read(
  db: Database,
  from: readonly Entry[],
  ends = Infinity,
  meanwhile: (tx: Database) => Promise<unknown> = async () => undefined,
) {
  let transactions = 0;
  return await replaceSourceBans(db, { listId: 'bans', source: 'test', now: 1 }, from, async (tx) => {
    transactions += 1;
    if (transactions === 2) await meanwhile(tx);
    if (transactions > ends) throw new Error('killed');
    return {
      banOf: ({ reason }) => ({
        player_name: null,
        category: 'OTHER',
        reason,
        starts_at: null,
        expires_at: null,
        state: 'ENFORCED',
      }),
      findPlayers: async (changed) => changed.map(() => null),
    };
  });
}

const inForce = async (db: Database) =>
  await db.selectFrom('ban').select(['source_key', 'reason']).where('lifted_at', 'is', null).execute();

test('a long list agrees with its source, also after it was read in part', async () => {
  const db = await temporaryStore();
  const none = { added: 0, updated: 0, lifted: 0, unchanged: 0 };
  expect(await read(db, entries(4_500, 'a'))).toEqual({ ...none, added: 4_500 });
  await expect(read(db, entries(4_300, 'b'), 1)).rejects.toThrow('killed');
  const left = await inForce(db);
  expect(left).toHaveLength(4_500);
  const done = left.filter(({ reason }) => reason === 'b').length;
  expect(done).toBeGreaterThan(0);
  expect(await read(db, entries(4_300, 'b'))).toEqual({
    ...none,
    updated: 4_300 - done,
    unchanged: done,
    lifted: 200,
  });
  expect(new Map((await inForce(db)).map((row) => [row.source_key, row.reason]))).toEqual(
    new Map(entries(4_300, 'b').map(({ key, reason }) => [key, reason])),
  );
  expect(await read(db, [])).toEqual({ ...none, lifted: 4_300 });
});

test('a ban that is lifted by hand meanwhile does not keep another one in force', async () => {
  const db = await temporaryStore();
  await read(db, entries(2_501, 'a'));
  const lift = (tx: Database) =>
    tx.updateTable('ban').set({ lifted_at: 1 }).where('source_key', '=', 'k0').execute();
  expect(await read(db, entries(2_500, 'a'), Infinity, lift)).toMatchObject({ lifted: 1 });
  expect((await inForce(db)).map(({ source_key: key }) => key)).not.toContain('k2500');
});

test('a transaction that is done again because of another one counts its changes once', async () => {
  const db = await temporaryStore();
  await read(db, entries(2, 'a'));
  let failures = 1;
  const contested = db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'UpdateQueryNode' && failures-- > 0)
        throw Object.assign(new Error('could not serialize'), { code: '40001' });
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  expect(await read(contested, entries(1, 'a'))).toEqual({ added: 0, updated: 0, lifted: 1, unchanged: 1 });
  expect(failures).toBeLessThan(1);
});
