import { copyFileSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig, readEnvironment } from '../../../src/config/load.ts';
import { checkRunsCountedTwice } from '../../../src/cli/checks/stored-ids.ts';
import { activeSources } from '../../../src/server/ingest/follower/sources.ts';
import { openWriter, storeFile } from '../../../src/server/store/engine/database.ts';
import { reconcile } from '../../../src/server/store/repositories/projects/reconcile.ts';
import { outpost } from '../../harness/command-line.ts';
import { createSourceWatch } from '../../harness/logs.ts';
import { header, idA, temporaryFolder } from '../../server/ingest/fixture.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv('OUTPOST_CONFIG', join(folder, 'outpost.yaml'));
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(folder, 'profiles'));
  writeFileSync(join(folder, 'profiles/DayZServer_x64.ADM'), `${header('2024-05-01 12:00:00')}${line}`);
});
const line = `12:00:10 | Player "A"(id=${idA}) is connected\n12:01:00 | Player "A"(id=${idA}) has been disconnected\n`;

/** A project of two servers. */
function configure(one: string, two: string): void {
  const server = (id: string, keys: string) =>
    `{ id: ${id}, name: ${id}, host: 127.0.0.1, port: 1, timezone: UTC, ${keys} }`;
  writeFileSync(
    join(folder, 'outpost.yaml'),
    `projects: [{ slug: p, name: P, servers: [${server('one', one)}, ${server('two', two)}] }]`,
  );
}

test('two servers with one folder of logs under two paths are named by check-config and sources', async () => {
  symlinkSync(join(folder, 'profiles'), join(folder, 'logs'), 'dir');
  configure('logs: profiles', 'logs: logs');
  const found = `is the same as ${join(folder, 'profiles')} of the server "one", and everything in it counts twice`;
  const checked = await outpost('check-config');
  expect(checked.out).toContain(`✗ two.logs  ${join(folder, 'logs')}: ${found}`);
  expect(checked.code).toBe(1);
  const { db, close } = await openWriter(storeFile(join(folder, 'data')), { busyTimeoutMs: 5_000 });
  await reconcile(db, readConfig(join(folder, 'outpost.yaml')));
  await close();
  const listed = await outpost('sources');
  expect(listed.out).toContain(`! two.logs ${join(folder, 'logs')}: ${found}`);
  expect(listed.code).toBe(1);
});

test('so are two servers with one players.db', async () => {
  writeFileSync(join(folder, 'players.db'), '');
  linkSync(join(folder, 'players.db'), join(folder, 'other.db'));
  configure('playersDb: players.db', 'playersDb: other.db');
  const { out } = await outpost('check-config');
  expect(out).toContain(`✗ two.playersDb  ${join(folder, 'other.db')}: is the same as`);
});

test('two servers that have files of their own are not', async () => {
  mkdirSync(join(folder, 'logs'));
  copyFileSync(join(folder, 'profiles/DayZServer_x64.ADM'), join(folder, 'logs/DayZServer_x64.ADM'));
  configure('logs: profiles', 'logs: logs');
  expect((await outpost('check-config')).out).not.toContain('counts twice');
});

test('runs that are counted for two servers are named by sources, wherever they lie', async () => {
  mkdirSync(join(folder, 'logs'));
  configure('logs: profiles', 'logs: logs');
  const config = readConfig(readEnvironment().configFile);
  const { db, close } = await openWriter(storeFile(join(folder, 'data')), { busyTimeoutMs: 5_000 });
  onTestFinished(close);
  await reconcile(db, config);
  const watch = createSourceWatch(db);
  copyFileSync(join(folder, 'profiles/DayZServer_x64.ADM'), join(folder, 'logs/DayZServer_x64.ADM'));
  await watch.followOn(activeSources(config));
  expect(await checkRunsCountedTwice(config, db)).toMatchObject([{ tried: 'one, two' }]);
  const { code, out } = await outpost('sources');
  expect(out).toContain("! servers one, two: 1 run is counted for both: everybody's figures double");
  expect(code).toBe(1);
});
