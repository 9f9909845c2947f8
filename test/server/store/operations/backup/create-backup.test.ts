import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SQLite } from '../../../../../src/server/store/engine/driver.ts';
import { expect, test } from 'vitest';
import {
  backupFolder,
  newBackupFile,
  pruneBackups,
} from '../../../../../src/server/store/operations/backup/backup-folder.ts';
import { unpackBackup } from '../../../../../src/server/store/operations/backup/unpack-backup.ts';
import { storeFile } from '../../../../../src/server/store/engine/database.ts';
import { canMountDisks, smallDisk } from '../../../../harness/small-disk.ts';
import { temporaryFolder } from '../../../ingest/fixture.ts';
import { backUp, fillDataFolder, now, secrets } from './backup-world.ts';

test('a backup holds the store, the bot’s values and the hosts that are trusted, and no token', async () => {
  const data = temporaryFolder();
  await fillDataFolder(data);
  const file = join(temporaryFolder(), 'backup.sqlite.gz');
  expect(await backUp(data, file)).toBe(statSync(file).size);
  const bytes = gunzipSync(readFileSync(file)).toString('latin1');
  for (const text of ['SHA256:pinned', 'feed:1:0', 'Northwood | Chernarus']) expect(bytes).toContain(text);
  for (const secret of secrets) expect(bytes).not.toContain(secret);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(file, '..'))).toEqual(['backup.sqlite.gz']);
});

test('a store that is written all the time is copied once, as it was when the copy began', async () => {
  const data = temporaryFolder();
  await fillDataFolder(data);
  const sqlite = new SQLite(storeFile(data));
  sqlite.exec('CREATE TABLE filler (x INTEGER, y BLOB)');
  const insert = sqlite.prepare('INSERT INTO filler VALUES (?, randomblob(3000))');
  sqlite.transaction(() => Array.from({ length: 10_000 }, (_, i) => insert.run(i)))();
  const done: number[] = [];
  const file = join(temporaryFolder(), 'backup.sqlite.gz');
  await backUp(data, file, {
    onProgress(progress) {
      if (progress.step !== 'copy') return;
      done.push(progress.done);
      insert.run(-1);
    },
  });
  sqlite.close();
  expect(done.length).toBeGreaterThan(5);
  // A copy that starts again falls back to its first pages.
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  const target = storeFile(temporaryFolder());
  // A restore takes no table that is not Outpost's.
  await unpackBackup(file, target);
  const copy = new SQLite(target, { readonly: true });
  expect(copy.prepare('SELECT count(*) AS all_, min(x) AS first FROM filler').get()).toEqual({
    all_: 10_000,
    first: 0,
  });
  copy.close();
});

test('names of backups go by the time, are valid on Windows, and are never given twice', () => {
  const folder = temporaryFolder();
  const first = newBackupFile(folder, 'outpost', now);
  expect(first).toBe(join(folder, 'outpost-2026-11-22T12-00-00Z.sqlite.gz'));
  writeFileSync(first, '');
  expect(newBackupFile(folder, 'outpost', now)).toBe(
    join(folder, 'outpost-2026-11-22T12-00-00Z-2.sqlite.gz'),
  );
  // Of a process that was killed in this second, or is at work.
  writeFileSync(join(folder, 'outpost-2026-11-22T12-00-00Z-2.sqlite.gz.copy.outpost-partial'), '');
  writeFileSync(join(folder, 'outpost-2026-11-22T12-00-00Z-3.sqlite.gz.outpost-partial'), '');
  expect(newBackupFile(folder, 'outpost', now)).toBe(
    join(folder, 'outpost-2026-11-22T12-00-00Z-4.sqlite.gz'),
  );
});

test('a backup that cannot be made says why and leaves nothing behind', async () => {
  const data = temporaryFolder();
  const folder = temporaryFolder();
  const file = join(folder, 'backup.sqlite.gz');
  await expect(backUp(data, file)).rejects.toThrow(/^there is nothing to back up: .* does not exist\. Start/);
  await fillDataFolder(data);
  await expect(backUp(data, join(folder, 'missing', 'b'))).rejects.toThrow(
    /^cannot create .*b: there is no such drive or folder\. Create it, or name another place for the backup\.$/,
  );
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await expect(backUp(data, file, { signal: stop.signal })).rejects.toThrow('stopped');
  const late = new AbortController();
  const onProgress = ({ step }: { step: string }) => step === 'compress' && late.abort(new Error('late'));
  await expect(backUp(data, file, { signal: late.signal, onProgress })).rejects.toThrow(/late|aborted/);
  writeFileSync(file, 'mine');
  await expect(backUp(data, file)).rejects.toThrow(/exists already: name another file/);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(readdirSync(folder)).toEqual(['backup.sqlite.gz']);
});

test('a damaged store is not backed up', async () => {
  const data = temporaryFolder();
  await fillDataFolder(data);
  const bytes = readFileSync(storeFile(data));
  bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 20_000);
  writeFileSync(storeFile(data), bytes);
  const folder = temporaryFolder();
  await expect(backUp(data, join(folder, 'b.sqlite.gz'))).rejects.toThrow(/is damaged/);
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that is no store is named, and not the backup', async () => {
  const data = temporaryFolder();
  writeFileSync(storeFile(data), 'hello');
  await expect(backUp(data, join(data, 'b.sqlite.gz'))).rejects.toThrow(
    `the database ${storeFile(data)} is damaged`,
  );
});

test.skipIf(!canMountDisks)(
  'a backup that does not fit on the disk is not begun, and one that fills it leaves nothing (needs root on Linux)',
  async (context) => {
    const data = temporaryFolder();
    await fillDataFolder(data);
    const disk = smallDisk(40);
    if (disk === null) return context.skip('no tmpfs can be mounted here');
    const file = join(disk.folder, 'b.sqlite.gz');
    disk.fill(1_000);
    await expect(backUp(data, file)).rejects.toThrow(
      /^a backup needs \d+ MB on the disk of .* Free some space/,
    );
    disk.clear();
    const onProgress = ({ step }: { step: string }) => step === 'copy' && disk.fill(0);
    await expect(backUp(data, file, { onProgress })).rejects.toThrow(/the disk is full\. Free some space/);
    expect(readdirSync(disk.folder)).toEqual(['filler']);
  },
);

test('an unfinished backup is deleted once nothing has been written for an hour', async () => {
  const data = temporaryFolder();
  await fillDataFolder(data);
  const folder = temporaryFolder();
  const hourAgo = new Date(Date.now() - 61 * 60_000);
  for (const name of ['a', 'b']) {
    const left = join(folder, `${name}.sqlite.gz.outpost-partial`);
    writeFileSync(left, 'x');
    if (name === 'a') utimesSync(left, hourAgo, hourAgo);
  }
  await backUp(data, join(folder, 'c.sqlite.gz'));
  expect(readdirSync(folder)).toEqual(['b.sqlite.gz.outpost-partial', 'c.sqlite.gz']);
});

test('the oldest backups are deleted by their names, since a copied folder gives all files the time of copying', () => {
  const data = temporaryFolder();
  const folder = backupFolder(data);
  mkdirSync(folder);
  const names = ['21T03-00-00Z', '22T03-00-00Z', '22T03-00-00Z-2', '23T03-00-00Z'].map(
    (time) => `scheduled-2026-11-${time}.sqlite.gz`,
  );
  const others = ['outpost-2026-11-20T03-00-00Z.sqlite.gz', 'scheduled-mine.sqlite.gz'];
  for (const [age, name] of [...names, ...others].entries()) {
    writeFileSync(join(folder, name), 'x');
    utimesSync(join(folder, name), now / 1000 - age, now / 1000 - age);
  }
  pruneBackups(folder, 'scheduled', 2);
  expect(readdirSync(folder).toSorted()).toEqual([...others, ...names.slice(2)].toSorted());
});
