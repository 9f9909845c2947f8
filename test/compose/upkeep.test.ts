import { expect, it } from 'vitest';
import { deletions } from '../../src/compose/upkeep.ts';
import { addSamples } from '../../src/server/store/repositories/projects/history.ts';
import { addEntry } from '../../src/server/store/repositories/watch/watch-list.ts';
import { createTestClock, type TestClock } from '../harness/clock.ts';
import { temporaryWriter } from '../server/ingest/fixture.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A sample of the first day and an entry that ends after a month, and upkeep that looks every ten minutes. */
async function world() {
  const { db } = await temporaryWriter();
  const clock = createTestClock();
  await addSamples(db, 's', [{ sampledAt: clock.now(), players: 5, maxPlayers: 60 }]);
  const entry = { reason: null, expiresAt: clock.now() + 30 * day, addedBy: '1' };
  await addEntry(db, 'p', { name: 'Bob' }, entry, clock.now());
  return {
    clock,
    async pass(ms: number) {
      for (let rest = ms; rest > 0; rest -= 10 * minute) {
        clock.advance(10 * minute);
        for (const [, remove] of deletions) await remove(db, clock.now());
      }
    },
    kept: async () => [
      (await db.selectFrom('server_sample').selectAll().execute()).length,
      (await db.selectFrom('watch_entry').selectAll().execute()).length,
    ],
  };
}

/** Time passes in which no process runs. */
const restart = ({ advance }: TestClock): void => advance(31 * day);

it('deletes what is too old, an hour after a start', async () => {
  const { clock, pass, kept } = await world();
  restart(clock);
  expect(await kept()).toEqual([1, 1]);
  await pass(2 * hour);
  expect(await kept()).toEqual([0, 0]);
});

it('goes by a clock that stays ahead, as after the machine slept', async () => {
  const { clock, pass, kept } = await world();
  await pass(2 * hour);
  clock.step(31 * day);
  await pass(2 * hour);
  expect(await kept()).toEqual([0, 0]);
});
