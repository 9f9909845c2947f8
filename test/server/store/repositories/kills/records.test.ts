import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { expect, test } from 'vitest';
import { findRecordShot } from '../../../../../src/server/store/repositories/kills/boards.ts';
import { onPostgres } from '../../../../harness/new-store.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

const shot = record({
  server_id: constantFrom('s', 't'),
  at: integer({ min: 1, max: 6 }),
  meters: constantFrom(null, 120, 299.9, 300, 350.5, 400, 500),
  killer: constantFrom('a', 'b', 'hidden', null),
});

test('the record is the longest shot since a moment, of equal ones the first, that beats another', async () => {
  const db = await temporaryStore(['s', 't']);
  const ids = new Map<string | null, number>();
  for (const name of ['a', 'b', 'hidden', 'victim']) {
    const { id } = await db
      .insertInto('player')
      .values({ project_id: 'p', name, hidden: name === 'hidden' ? 1 : 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(name, id);
  }
  const run = { header: '', started_at: 1, bytes: 0, digest: '' };
  const { id: run_id } = await db
    .insertInto('log_run')
    .values({ server_id: 's', imported_at: 0, ...run })
    .returning('id')
    .executeTakeFirstOrThrow();
  const victim_id = ids.get('victim')!;

  await assert(
    asyncProperty(array(shot, { maxLength: 12 }), integer({ min: 0, max: 7 }), async (shots, since) => {
      await db.deleteFrom('death').execute();
      const stored: ((typeof shots)[number] & { id: number })[] = [];
      for (const [number, { killer, ...row }] of shots.entries()) {
        const killer_id = ids.get(killer) ?? null;
        const fixed = { run_id, game_id: 'x', victim_id, cause: 'player', stored_at: 1, live: 1 } as const;
        const { id } = await db
          .insertInto('death')
          .values({ ...fixed, ...row, killer_id, number })
          .returning('id')
          .executeTakeFirstOrThrow();
        stored.push({ ...row, killer, id });
      }
      const long = stored
        .filter(({ server_id, at }) => server_id === 's' && at >= since)
        .filter(({ killer, meters }) => (killer === 'a' || killer === 'b') && (meters ?? 0) >= 300)
        .toSorted((one, other) => other.meters! - one.meters! || one.at - other.at || one.id - other.id);
      const [longest, beaten] = long;
      expect(await findRecordShot(db, 's', since)).toBe(beaten === undefined ? null : longest?.id);
    }),
    { numRuns: onPostgres ? 20 : 100 },
  );
});
