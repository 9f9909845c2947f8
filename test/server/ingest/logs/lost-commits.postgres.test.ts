import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWriter } from '../../../../src/server/store/engine/database.ts';
import { createSourceWatch } from '../../../harness/logs.ts';
import { durable, startPostgres } from '../../../harness/postgres.ts';
import { addProject, idA, idB, run, statsOf, temporaryFolder } from '../fixture.ts';

const killed = (time: string) =>
  `${time} | Player "A" (DEAD) (id=${idA} pos=<1, 2, 3>) killed by Player "B" (id=${idB} pos=<4, 5, 6>) with SVD from 300.5 meters \n`;

test('lines count once when PostgreSQL crashes before the disk has them', async () => {
  const server = await startPostgres(undefined, { ...durable, wal_writer_delay: '10s' });
  const { db, close } = await openWriter(server.url('postgres'), { busyTimeoutMs: 10_000 });
  onTestFinished(async () => {
    await close();
    await server.remove();
  });
  await addProject(db, ['s']);
  const folder = temporaryFolder();
  const log = join(folder, 'DayZServer_x64.ADM');
  const watch = createSourceWatch(db);
  const poll = async () =>
    await watch.followOn({ servers: [{ id: 's', logs: folder }], banlists: [] }).catch(() => undefined);
  const kills = async () => (await statsOf(db, idB))?.player_kills;

  writeFileSync(log, run(killed('12:00:10').trim()));
  await poll();
  expect(await kills()).toBe(1);
  // A commit that waits for the disk waits for all before it.
  await db.updateTable('project').set({ name: 'Q' }).execute();
  appendFileSync(log, killed('12:00:20'));
  await poll();
  expect(await kills()).toBe(2);

  await server.stop('SIGQUIT');
  await server.start();
  await expect.poll(kills).toBe(1);
  appendFileSync(log, killed('12:00:30'));
  await expect.poll(async () => (await poll(), await kills()), { timeout: 20_000 }).toBe(3);
  await poll();
  expect(await kills()).toBe(3);
});
