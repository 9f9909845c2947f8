import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectNamed } from '../../src/config/config-index.ts';
import { createHealth, createUnreadBanlists } from '../../src/community/health.ts';
import { configSchema } from '../../src/config/schema.ts';
import { openWriter, storeFile } from '../../src/server/store/engine/database.ts';
import { StoreHealth } from '../../src/server/store/engine/store-health.ts';
import { saveSourceStates } from '../../src/server/store/repositories/logs/source-states.ts';
import { reconcile } from '../../src/server/store/repositories/projects/reconcile.ts';
import { createSourceWatch } from '../harness/logs.ts';
import { saveServerState } from '../harness/server-states.ts';
import { run, temporaryFolder } from '../server/ingest/fixture.ts';

async function start() {
  const folder = temporaryFolder();
  const writer = await openWriter(storeFile(folder), { busyTimeoutMs: 5_000 });
  onTestFinished(() => writer.close());
  const config = configSchema.parse({
    projects: [
      {
        slug: 'p',
        name: 'P',
        servers: [
          { id: 'on', name: 'On *1*', host: '127.0.0.1', port: 1, logs: folder },
          { id: 'gone', name: 'Gone', host: '127.0.0.1', port: 2, logs: join(folder, 'gone') },
          { id: 'db', name: 'Db', host: '127.0.0.1', port: 3, playersDb: join(folder, 'gone.db') },
        ],
        banlists: [
          { id: 'b', name: 'List', sources: [{ file: join(folder, 'bans.txt'), format: 'battleye' }] },
        ],
      },
      {
        slug: 'q',
        name: 'Q',
        servers: [{ id: 'other', name: 'Other', host: '127.0.0.1', port: 4, logs: join(folder, 'none') }],
      },
    ],
  });
  await reconcile(writer.db, config);
  writeFileSync(
    join(folder, 'x.ADM'),
    run('12:00:30 | Player "A" is connected (id=z5r1jt0RyoFZA4t6NsB3n_huP5XbiBWQH_fM27rY4HY=)'),
  );
  writeFileSync(join(folder, 'bans.txt'), 'no bans\n');
  const watch = createSourceWatch(writer.db);
  const poll = async () => {
    for (const { servers, banlists } of config.projects) await watch.importChanged({ servers, banlists });
  };
  const health = new StoreHealth();
  // A minute after the only line of the log.
  let now = Date.parse('2024-05-01T12:01:30Z');
  const read = createHealth(
    projectNamed(() => config, 'p'),
    {
      db: writer.db,
      health,
      dataFolder: folder,
      now: () => now,
    },
  );
  const unread = createUnreadBanlists(
    projectNamed(() => config, 'p'),
    writer.db,
  );
  return {
    folder,
    unread,
    db: writer.db,
    health,
    poll,
    read,
    later: (minutes: number) => void (now += minutes * 60_000),
  };
}

test('names failing files of the shown project only, without a path', async () => {
  const { folder, poll, read } = await start();
  await poll();
  await poll();
  const problems = await read();
  expect(problems).toEqual([
    { kind: 'logsFailed', server: 'Gone' },
    { kind: 'filesFailed', server: 'Db' },
    { kind: 'bansFailed', list: 'List' },
  ]);
  expect(JSON.stringify(problems)).not.toContain(folder);
});

test('names ban lists of the project that were not read yet, or not the last time', async () => {
  const { db, folder, poll, read, unread } = await start();
  expect(await unread()).toEqual(new Set(['b']));
  await poll();
  await poll();
  expect(await unread()).toEqual(new Set(['b']));
  // A mistyped path, which the owner has corrected since, without a restart.
  const mistyped = { kind: 'bans', ownerId: 'b', path: join(folder, 'ban.txt') };
  await saveSourceStates(db, [{ ...mistyped, report: null, error: 'no such file' }], Date.now());
  writeFileSync(join(folder, 'bans.txt'), `${'f'.repeat(32)} -1 Cheating\n`);
  await poll();
  expect(await unread()).toEqual(new Set());
  expect((await read()).filter(({ kind }) => kind === 'bansFailed')).toEqual([]);
});

test('names a log that stands still only while players are on', async () => {
  const { db, poll, read, later } = await start();
  await poll();
  const silent = async () => (await read()).filter(({ kind }) => kind === 'logsSilent');
  const state = { map: 'x', maxPlayers: 60, checkedAt: Date.now(), status: 'ONLINE' } as const;
  await saveServerState(db, 'on', { ...state, players: 3 });
  expect(await silent()).toEqual([]);
  later(40);
  await saveServerState(db, 'on', { ...state, players: 0 });
  expect(await silent()).toEqual([]);
  await saveServerState(db, 'on', { ...state, players: 3 });
  expect(await silent()).toEqual([
    { kind: 'logsSilent', server: 'On \\*1\\*', updatedAt: expect.any(Number) },
  ]);
});

test('names a store that is damaged, replaced or cannot be written', async () => {
  const { health, read } = await start();
  health.failed({ code: 'SQLITE_FULL' });
  expect((await read())[0]).toEqual({ kind: 'storeUnwritable' });
  health.isReplaced = true;
  expect((await read())[0]).toEqual({ kind: 'storeReplaced' });
  health.failed({ code: 'SQLITE_CORRUPT' });
  expect((await read())[0]).toEqual({ kind: 'storeDamaged' });
});
