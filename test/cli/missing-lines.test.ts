import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import { activeSources } from '../../src/server/ingest/follower/sources.ts';
import { openWriter, storeFile } from '../../src/server/store/engine/database.ts';
import { reconcile } from '../../src/server/store/repositories/projects/reconcile.ts';
import { outpost } from '../harness/command-line.ts';
import { createSourceWatch } from '../harness/logs.ts';
import { header, idA, temporaryFolder } from '../server/ingest/fixture.ts';

test('lines that count nowhere are shown by sources, and fail it only until the game starts again', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'outpost.yaml');
  const log = join(folder, 'logs', 'DayZServer_x64.ADM');
  mkdirSync(join(folder, 'logs'));
  writeFileSync(
    file,
    `projects: [{ slug: p, name: P, servers: [{ id: s, name: S, host: 127.0.0.1, port: 1, timezone: UTC, logs: logs }] }]`,
  );
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  await outpost('sources');
  const { db, close } = await openWriter(storeFile(join(folder, 'data')), { busyTimeoutMs: 5_000 });
  onTestFinished(close);
  const sources = activeSources(readConfig(file));
  await reconcile(db, readConfig(file));
  const line = (time: string) => `${time} | Player "A"(id=${idA}) is connected\n`;
  writeFileSync(log, header('2024-05-01 12:00:00') + line('12:00:10'));
  await createSourceWatch(db).followOn(sources);
  truncateSync(log);
  appendFileSync(log, line('18:00:00') + line('19:30:00'));
  const watch = createSourceWatch(db);
  await watch.followOn(sources);
  const bytes = 2 * line('18:00:00').length;
  const text = `${bytes} bytes from 18:00:00 to 19:30:00 are missing`;
  const headless = await outpost('sources');
  expect(headless).toMatchObject({ code: 1, out: expect.stringContaining('starts without a header') });
  expect(headless.out).toContain(`! DayZServer_x64.ADM: ${text}`);
  appendFileSync(log, header('2024-05-01 20:00:00') + line('20:00:10'));
  const [outcome] = await watch.followOn(sources);
  expect(outcome?.report).toMatchObject({ remarks: [expect.stringContaining(text)] });
  const counted = await outpost('sources');
  expect(counted).toMatchObject({ code: 0, out: expect.stringContaining(text) });
});
