import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import {
  type Death,
  latestDeathAfter,
  readDeathsAfter,
} from '../../../../../src/server/store/repositories/kills/deaths.ts';
import { deleteOldDeaths } from '../../../../../src/server/store/repositories/kills/retention.ts';
import {
  header,
  idA,
  idB,
  idC,
  run,
  temporaryFiles,
  temporaryFolder,
  temporaryStore,
} from '../../../ingest/fixture.ts';
import { createSourceWatch, importLogs } from '../../../../harness/logs.ts';

let db: Database;
beforeEach(async () => {
  db = await temporaryStore(['s', 'other']);
});

const dead = (id: string) => `Player "${id[0]}" (DEAD) (id=${id} pos=<10, 20, 3>)`;
const by = (id: string) => `Player "${id[0]}" (id=${id} pos=<30, 40, 3>)`;
const kill = (time: string, victim: string, killer: string, weapon = 'SVD') =>
  `${time} | ${dead(victim)} killed by ${by(killer)} with ${weapon} from 300 meters `;

const deathsAfter = async (cursor = 0, limit = 100): Promise<Death[]> =>
  (await readDeathsAfter(db, ['s'], cursor, limit)).deaths;
const told = ({ id, victim, killer, weapon }: Death) => [id, victim.name, killer?.name ?? null, weapon];
const importLog = async (text: string, serverId = 's') =>
  await importLogs(db, { serverId, files: temporaryFiles({ 'x.ADM': text }) });

describe('each death is read once after a cursor', () => {
  const first = run(kill('12:00:01', idA, idB), kill('12:01:00', idB, idA));
  const longer = `${first}${kill('12:02:00', idC, idA, 'M4A1')}\n`;

  test('through copies, longer copies and imports again', async () => {
    await importLog(first);
    const deaths = await deathsAfter();
    expect(deaths.map(told)).toEqual([
      [1, 'a', 'j', 'SVD'],
      [2, 'j', 'a', 'SVD'],
    ]);
    const cursor = await latestDeathAfter(db, ['s'], 0);
    await importLog(first);
    await importLog(longer);
    await importLog(first);
    expect((await deathsAfter(cursor)).map(told)).toEqual([[expect.any(Number), 'D', 'a', 'M4A1']]);
    expect((await deathsAfter()).slice(0, 2)).toEqual(deaths);
    await importLog(longer.replaceAll('SVD', 'Mosin'), 'other');
    expect(await deathsAfter()).toHaveLength(3);
  });

  test('page by page, with the streak that each kill makes and ends', async () => {
    await importLog(longer);
    const { deaths, cursor } = await readDeathsAfter(db, ['s'], 0, 2);
    expect(deaths.map(({ killer, victim }) => [killer?.streak, victim.streak])).toEqual([
      [1, 0],
      [1, 1],
    ]);
    const rest = await readDeathsAfter(db, ['s'], cursor, 2);
    expect(rest.deaths.map(({ killer, victim }) => [killer?.streak, victim.streak])).toEqual([[2, 0]]);
    expect(await readDeathsAfter(db, ['s'], rest.cursor, 2)).toEqual({ deaths: [], cursor: rest.cursor });
  });

  test('with the streaks of kills in the same second in their order', async () => {
    await importLog(run(...[idB, idC].map((victim) => kill('12:00:01', victim, idA))));
    expect((await deathsAfter()).map(({ killer }) => killer?.streak)).toEqual([1, 2]);
  });

  test('in place of a shorter log under the same header, what it tells is gone', async () => {
    await importLog(run(kill('12:00:01', idA, idB), kill('12:01:00', idB, idA)));
    await importLog(
      run(
        ...Array.from({ length: 5 }, () => `12:00:00 | Player "C"(id=${idC}) is connected`),
        kill('12:30:00', idC, idB, 'Mosin 91/30'),
        ' ',
      ),
    );
    expect((await deathsAfter()).map(told)).toEqual([[expect.any(Number), 'D', 'j', 'Mosin 91/30']]);
  });

  test('when an earlier version has read the log without keeping deaths, and it is imported again', async () => {
    const kills = Array.from({ length: 90 }, (_, i) => kill(time(i), i % 2 ? idA : idB, i % 2 ? idB : idA));
    const log = run(...kills);
    await importLog(log);
    const before = await deathsAfter();
    expect(before).toHaveLength(90);
    await db.deleteFrom('death').execute();
    await importLog(log);
    expect((await deathsAfter()).map(told)).toEqual(
      before.map(told).map(([, ...death]) => [expect.any(Number), ...death]),
    );
  });

  test('with the names and figures of the one person that two ids turn out to be', async () => {
    await importLog(run(kill('12:00:01', idA, idB), kill('12:01:00', idB, idA)));
    await db
      .insertInto('player')
      .values({ id: 90, project_id: 'p', battleye_guid: 'ab', name: 'Old' })
      .execute();
    const rows = await db.selectFrom('death').selectAll().execute();
    const { mergePlayers } =
      await import('../../../../../src/server/store/repositories/players/player-merge.ts');
    await db
      .transaction()
      .execute((tx) => mergePlayers(tx, [{ from: rows[0]?.victim_id as number, into: 90 }]));
    expect((await deathsAfter()).map(told)).toEqual([
      [1, 'Old', 'j', 'SVD'],
      [2, 'j', 'Old', 'SVD'],
    ]);
  });
});

test('what is read as a log grows is live; what lay there before is not', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'DayZServer_x64.ADM');
  writeFileSync(join(folder, 'old.ADM'), `${header('2024-04-01 12:00:00')}${kill('12:30:00', idC, idB)}\n`);
  writeFileSync(log, run(kill('12:00:01', idA, idB)));
  const sources = { servers: [{ id: 's', logs: folder }], banlists: [] };
  await createSourceWatch(db).importChanged(sources);
  expect((await deathsAfter()).map(({ isLive }) => isLive)).toEqual([false, false]);
  // Another process goes on.
  const watch = createSourceWatch(db);
  appendFileSync(log, `${dead(idB).replace(/^/, '12:05:00 | ')} died. Stats> Water: 1 Energy: 2\n`);
  await watch.importChanged(sources);
  const cursor = await latestDeathAfter(db, ['s'], 0);
  const [last] = (await deathsAfter()).slice(-1);
  expect(last).toMatchObject({ id: cursor, isLive: true, cause: 'died', killer: null });
  // The same death: more of it was told by the next line only.
  appendFileSync(log, `${kill('12:05:00', idB, idA)}\n`);
  await watch.importChanged(sources);
  expect(await deathsAfter(cursor)).toEqual([]);
  expect((await deathsAfter(cursor - 1))[0]).toMatchObject({
    id: cursor,
    isLive: true,
    cause: 'player',
    weapon: 'SVD',
  });
});

test('a death that was deleted for its age is no news when its log is read again', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'DayZServer_x64.ADM');
  const sources = { servers: [{ id: 's', logs: folder }], banlists: [] };
  writeFileSync(log, run());
  const watch = createSourceWatch(db);
  await watch.importChanged(sources);
  appendFileSync(log, `${kill('12:00:01', idA, idB)}\n`);
  await watch.importChanged(sources);
  expect((await deathsAfter()).map(({ isLive }) => isLive)).toEqual([true]);
  await db
    .updateTable('project')
    .set({ kills_kept_ms: 90 * 86_400_000 })
    .execute();
  await deleteOldDeaths(db, Date.now());
  expect(await deathsAfter()).toEqual([]);
  await createSourceWatch(db).importChanged(sources);
  expect((await deathsAfter()).map(({ isLive }) => isLive)).toEqual([false]);
});

test('positions are kept where the project wants them, and no longer than it does', async () => {
  await importLog(run(kill('12:00:01', idA, idB)));
  expect((await deathsAfter())[0]).toMatchObject({ position: null, killerPosition: null });
  await db.updateTable('project').set({ kill_positions: 1 }).execute();
  await importLog(`${header('2024-05-02 12:00:00')}${kill('12:30:00', idC, idB)}\n`);
  const places = { position: { x: 10, z: 20 }, killerPosition: { x: 30, z: 40 } };
  expect(await deathsAfter()).toMatchObject([{ position: null }, places]);
  await deleteOldDeaths(db, 0);
  expect(await deathsAfter()).toMatchObject([{ position: null }, places]);
  await db.updateTable('project').set({ kill_positions: 0 }).execute();
  expect(await deathsAfter()).toMatchObject([{ position: null }, { position: null, killerPosition: null }]);
  await deleteOldDeaths(db, 0);
  const columns = ['victim_x', 'victim_z', 'killer_x', 'killer_z'] as const;
  const nowhere = { victim_x: null, victim_z: null, killer_x: null, killer_z: null };
  expect(await db.selectFrom('death').select(columns).execute()).toEqual([nowhere, nowhere]);
});

test('deaths are kept as long as the project wants, and their ids are not given again', async () => {
  await importLog(run(kill('12:00:01', idA, idB), kill('13:00:00', idB, idA)));
  const noon = Date.parse('2024-05-01T12:00:01Z');
  await db.updateTable('project').set({ kills_kept_ms: 60_000 }).execute();
  await deleteOldDeaths(db, noon + 60_000);
  expect(await deathsAfter()).toHaveLength(2);
  await deleteOldDeaths(db, noon + 60_001);
  expect((await deathsAfter()).map(({ id }) => id)).toEqual([2]);
  await deleteOldDeaths(db, noon + 3_600_000 + 60_001);
  const now = () => noon + 3_600_000 + 60_001;
  const files = temporaryFiles({
    'x.ADM': `${header('2024-05-01 13:00:30')}${kill('13:00:31', idA, idB)}\n${kill('13:00:59', idB, idA)}\n`,
  });
  await importLogs(db, { serverId: 's', files, now });
  expect((await deathsAfter()).map(({ id }) => id)).toEqual([3, 4]);
});

const time = (i: number): string =>
  new Date(Date.UTC(2024, 4, 1, 12) + i * 11_000).toISOString().slice(11, 19);
