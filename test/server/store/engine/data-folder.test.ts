import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQLite } from '../../../../src/server/store/engine/driver.ts';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  closeToOthers,
  ensureDataFolder,
  isMissing,
} from '../../../../src/server/store/engine/data-folder.ts';
import { openWriter, storeFile } from '../../../../src/server/store/engine/database.ts';
import { lockDataFolder } from '../../../../src/server/store/engine/folder-lock.ts';
import { openValuesOf } from '../../../harness/small-values.ts';
import { storageProblem } from '../../../../src/server/store/engine/storage-errors.ts';
import { checkStore } from '../../../../src/server/store/engine/check-store.ts';
import { asOrdinaryUser, isRoot } from '../../../harness/ordinary-user.ts';
import { canMountDisks, smallDisk } from '../../../harness/small-disk.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const openStore = async (dataFolder: string): Promise<void> => {
  const writer = await openWriter(storeFile(dataFolder));
  await writer.close();
};
const hasModes = process.platform !== 'win32';

describe.skipIf(!hasModes)('a data folder that cannot be written is refused in one line', () => {
  test('where it cannot be created', async () => {
    chmodSync(folder, 0o555);
    const opened = asOrdinaryUser(() => openStore(join(folder, 'data')));
    await expect(opened).rejects.toThrow(
      /^cannot use .*data: this process runs as user \d+, and .* belongs to user \d+ \(mode 0555\)\. (?:Run Outpost as .* OUTPOST_DATA\.|Run: chmod u\+rwx .*)$/,
    );
  });

  test.skipIf(!isRoot)('where it belongs to another user', async () => {
    await openStore(folder);
    chmodSync(folder, 0o755);
    await expect(asOrdinaryUser(() => openStore(folder))).rejects.toThrow(
      /^cannot use .*outpost\.sqlite: this process runs as user 65534, and .* belongs to user 0/,
    );
    await expect(asOrdinaryUser(async () => lockDataFolder(folder, '', 0))).rejects.toThrow(
      /^cannot use .*: this process runs as user 65534/,
    );
  });

  test.skipIf(!isRoot)('where nobody but its owner may enter it', async () => {
    await openStore(folder);
    const theirs = /^cannot use .*: this process runs as user 65534, and .* belongs to user 0 \(mode 0700\)/;
    const refused = asOrdinaryUser(async () => storageProblem(storeFile(folder), { code: 'EACCES' }));
    expect((await refused)?.message).toMatch(theirs);
    await expect(asOrdinaryUser(() => isMissing(storeFile(folder)))).rejects.toThrow(theirs);
  });

  test('where the store of this user may only be read', async () => {
    await openStore(folder);
    chmodSync(storeFile(folder), 0o444);
    if (isRoot) for (const path of [folder, storeFile(folder)]) chownSync(path, 65_534, 65_534);
    await expect(asOrdinaryUser(() => openStore(folder))).rejects.toThrow(
      new RegExp(`outpost\\.sqlite belongs to user \\d+ \\(mode 0444\\)\\. Run: chmod -R u\\+rwX ${folder}$`),
    );
    chmodSync(storeFile(folder), 0o600);
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o600);
    await asOrdinaryUser(() => openStore(folder));
  });

  test.skipIf(!isRoot)('where root created a file in a folder of its user', async () => {
    chownSync(folder, 65_534, 65_534);
    writeFileSync(join(folder, 'outpost.lock'), '', { mode: 0o600 });
    await expect(asOrdinaryUser(async () => lockDataFolder(folder, '', 0))).rejects.toThrow(
      `outpost.lock belongs to user 0 (mode 0600). Root or another user created it in this user's folder. Run: sudo chown -R 65534 ${folder}`,
    );
  });

  test.skipIf(!isRoot)('where root would create files in a folder of another user', async () => {
    chownSync(folder, 65_534, 65_534);
    const problem = /belongs to user 65534, who could not use .* sudo -u '#65534' outpost/;
    await expect(openStore(folder)).rejects.toThrow(problem);
    await expect(openValuesOf(folder)).rejects.toThrow(problem);
    expect(() => lockDataFolder(folder, '', 0)).toThrow(problem);
    expect(readdirSync(folder)).toEqual([]);
    // Where root runs Outpost, the store is root's, whoever owns the folder.
    writeFileSync(storeFile(folder), '');
    await openStore(folder);
  });

  test('where a file is in its place, or in the place of a folder above it', async () => {
    writeFileSync(join(folder, 'data'), '');
    const problem = /^cannot use .*: expected a folder, but a file is in the way/;
    await expect(openStore(join(folder, 'data'))).rejects.toThrow(problem);
    await expect(openStore(join(folder, 'data', 'deeper'))).rejects.toThrow(problem);
  });

  test('where a folder is in the place of the store', async () => {
    mkdirSync(storeFile(folder));
    const problem =
      /^cannot use .*outpost\.sqlite: it is a folder, and the file of the database was expected/;
    await expect(openStore(folder)).rejects.toThrow(problem);
    expect(() => checkStore(storeFile(folder))).toThrow(problem);
  });
});

test.skipIf(!canMountDisks)(
  'a full disk and a read-only file system are named (needs root on Linux to mount one)',
  async (context) => {
    const disk = smallDisk(1);
    if (disk === null) return context.skip('no tmpfs can be mounted here');
    disk.fill(6);
    await expect(openStore(disk.folder)).rejects.toThrow(
      /^cannot write .*: the disk is full\. Free some space/,
    );
    disk.mountReadOnly();
    const problem = /its file system is read-only/;
    await expect(openStore(join(disk.folder, 'data'))).rejects.toThrow(problem);
    await expect(openValuesOf(disk.folder)).rejects.toThrow(problem);
  },
);

test.skipIf(!hasModes)('takes files that everyone could read away from other users', async () => {
  const data = join(folder, 'data');
  await openStore(data);
  const modes = () => [data, storeFile(data)].map((path) => (statSync(path).mode & 0o777).toString(8));
  chmodSync(data, 0o755);
  chmodSync(storeFile(data), 0o644);
  expect(closeToOthers(data)).toEqual([]);
  expect(modes()).toEqual(['700', '600']);

  // A group that may read it, or a folder that holds other things, is the owner's own decision.
  chmodSync(data, 0o750);
  chmodSync(storeFile(data), 0o640);
  expect(closeToOthers(data)).toEqual([]);
  expect(modes()).toEqual(['750', '640']);
  chmodSync(data, 0o755);
  writeFileSync(join(data, 'notes.txt'), '');
  expect(closeToOthers(data)).toEqual([]);
  expect(modes()).toEqual(['755', '640']);
});

test.skipIf(!isRoot || !hasModes)('names files of another user that everyone can read', async () => {
  await openStore(folder);
  chmodSync(folder, 0o755);
  chmodSync(storeFile(folder), 0o644);
  const left = await asOrdinaryUser(async () => closeToOthers(folder));
  expect(left).toEqual([folder, storeFile(folder)]);
});

describe('the lock', () => {
  test('refuses a second holder with the name of the first, and is free once that one is gone', () => {
    const first = lockDataFolder(folder, '/etc/outpost.yaml', Date.UTC(2026, 0, 2));
    expect(() => lockDataFolder(folder, 'other.yaml', 0)).toThrow(
      new RegExp(
        `another Outpost is running on the data folder .*\\(process ${process.pid} on .*, since 2026-01-02T00:00:00\\.000Z, config /etc/outpost\\.yaml\\)`,
      ),
    );
    first.release();
    lockDataFolder(folder, 'other.yaml', 0).release();
  });

  test('refuses a second holder also where nothing says who the first is', () => {
    const first = lockDataFolder(folder, '', 0);
    writeFileSync(join(folder, 'outpost.lock.json'), '');
    expect(() => lockDataFolder(folder, '', 0)).toThrow(
      /another Outpost is running on .*outpost-data-\w+\. Stop/,
    );
    first.release();
  });

  test('is not held up by the note that a killed process left behind', () => {
    writeFileSync(join(folder, 'outpost.lock'), '');
    writeFileSync(join(folder, 'outpost.lock.json'), JSON.stringify({ pid: process.pid, host: 'here' }));
    lockDataFolder(folder, '', 0).release();
  });
});

test('a store that was damaged in the middle is refused before it is used, and left as it is', async () => {
  await openStore(folder);
  const file = storeFile(folder);
  checkStore(file);
  const sqlite = new SQLite(file);
  const page = sqlite
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'kysely_migration'")
    .pluck()
    .get();
  sqlite.pragma('journal_mode = DELETE');
  sqlite.close();
  const bytes = readFileSync(file);
  bytes.fill(0xff, ((page as number) - 1) * 4096, (page as number) * 4096);
  writeFileSync(file, bytes);
  expect(() => checkStore(file)).toThrow(
    /^the database .*outpost\.sqlite is damaged \(.*\)\. .* restore the latest backup/,
  );
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test('a store of a newer Outpost is refused with what to start', async () => {
  await openStore(folder);
  const sqlite = new SQLite(storeFile(folder));
  sqlite.exec("INSERT INTO kysely_migration VALUES ('1.1.0-future', '2030-01-01T00:00:00Z')");
  sqlite.close();
  await expect(openStore(folder)).rejects.toThrow(
    /was made by a newer Outpost \(migration 1\.1\.0-[a-z]+\); this is .* Start that version/,
  );
});

const earlier = ['0038-runs-of-a-server', '1.0.0-tables'];
test.each(earlier)(
  'a store from before 1.0.0 (%s) is refused with what to do, and stays as it is',
  async (name) => {
    await openStore(folder);
    const sqlite = new SQLite(storeFile(folder));
    sqlite.exec(`UPDATE kysely_migration SET name = '${name}'`);
    sqlite.close();
    const before = readFileSync(storeFile(folder));
    await expect(openStore(folder)).rejects.toThrow(
      /made before Outpost 1\.0\.0.*Start with a new data folder.*outpost import adm/,
    );
    expect(readFileSync(storeFile(folder)).equals(before)).toBe(true);
  },
);

test('a new store may be opened by many at once', async () => {
  const data = join(folder, 'data');
  ensureDataFolder(data);
  await Promise.all(Array.from({ length: 4 }, () => openStore(data)));
});
