import { expect, onTestFinished, test } from 'vitest';
import { banNamesPath, RemotePlaces } from 'game-files';
import { createTestClock } from '../../../harness/clock.ts';
import { createSourceWatch } from '../../../harness/logs.ts';
import { startNitrado } from '../../../../packages/game-files/test/servers/nitrado.ts';
import { temporaryFolder, temporaryStore } from '../fixture.ts';

async function start() {
  const clock = createTestClock();
  const nitrado = await startNitrado({ root: temporaryFolder() });
  onTestFinished(() => nitrado[Symbol.asyncDispose]());
  const db = await temporaryStore();
  const remote = new RemotePlaces({ clock });
  onTestFinished(() => remote.close());
  const { serviceId, token, url } = nitrado;
  const sources = {
    servers: [{ id: 's' }],
    banlists: [{ id: 'bans', sources: [{ file: banNamesPath, filesOf: 's', format: 'nitrado' as const }] }],
    places: new Map([['s', { type: 'nitrado' as const, serviceId, token, baseUrl: url }]]),
  };
  const watch = createSourceWatch(db, { remote, clock });
  const banned = async (): Promise<unknown[]> =>
    await db
      .selectFrom('ban')
      .select('player_name')
      .where('lifted_at', 'is', null)
      .orderBy('player_name')
      .execute()
      .then((rows) => rows.map((row) => row.player_name));
  /** Polls as often as it takes until a change counts. */
  const poll = async () => {
    const outcomes = [];
    for (let i = 0; i < 3; i += 1) {
      clock.advance(61_000);
      outcomes.push(...(await watch.importChanged(sources)));
    }
    return outcomes;
  };
  return { nitrado, poll, banned };
}

test('the names that are banned in the settings are bans, one that leaves them is lifted', async () => {
  const { nitrado, poll, banned } = await start();
  nitrado.bans = 'Some Gamertag\r\nxX_Hunter_Xx#1234\r\n why_b_da__goat ';
  await poll();
  expect(await banned()).toEqual(['Some Gamertag', 'why_b_da__goat', 'xX_Hunter_Xx#1234']);
  nitrado.bans = 'Some Gamertag\r\nxX_Hunter_Xx#1234';
  await poll();
  expect(await banned()).toEqual(['Some Gamertag', 'xX_Hunter_Xx#1234']);
});

test('bans stay in force while the settings cannot be read, and the source says why', async () => {
  const { nitrado, poll, banned } = await start();
  nitrado.bans = 'Some Gamertag';
  await poll();
  nitrado.isAllowed = false;
  expect(await poll()).toMatchObject([{ kind: 'bans', error: expect.stringContaining('may not access') }]);
  expect(await banned()).toEqual(['Some Gamertag']);
});

test('a whole list that vanishes at once is not believed for minutes', async () => {
  const { nitrado, poll, banned } = await start();
  nitrado.bans = ['a', 'b', 'c', 'd'].join('\r\n');
  await poll();
  nitrado.bans = null;
  await poll();
  expect(await banned()).toHaveLength(4);
  await poll();
  await poll();
  expect(await banned()).toEqual([]);
});
