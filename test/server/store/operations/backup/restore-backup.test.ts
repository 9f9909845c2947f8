import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { SQLite, type SQLiteDatabase } from '../../../../../src/server/store/engine/driver.ts';
import { create } from 'tar';
import { beforeAll, describe, expect, test } from 'vitest';
import { restoredState } from '../../../../../src/bot/channels/restored-state.ts';
import { digestOf } from '../../../../../src/server/store/operations/backup/backup-files.ts';
import type { Manifest } from '../../../../../src/server/store/operations/backup/manifest.ts';
import { extractBackup } from '../../../../../src/server/store/operations/backup/read-archive.ts';
import { storeFile } from '../../../../../src/server/store/engine/database.ts';
import { lockDataFolder } from '../../../../../src/server/store/engine/folder-lock.ts';
import { asOrdinaryUser } from '../../../../harness/ordinary-user.ts';
import { openValuesOf } from '../../../../harness/small-values.ts';
import { canMountDisks, smallDisk } from '../../../../harness/small-disk.ts';
import { storeContents } from '../../../../harness/store-digest.ts';
import {
  backUp,
  contentsOf,
  fillDataFolder,
  messageId,
  now,
  restore,
  temporaryFolder,
  valueOfBot,
} from './backup-world.ts';

let source: string;
let good: string;
beforeAll(async () => {
  source = await mkdtemp(join(tmpdir(), 'outpost-backup-source-'));
  await fillDataFolder(source);
  good = join(source, 'good.tar.gz');
  await backUp(source, good);
});

/** What the store holds but for what a restore adds. */
function held(dataFolder: string): Record<string, unknown> {
  const { restored_server: _, keyv: __, ...tables } = storeContents(storeFile(dataFolder));
  return tables;
}

test('a backup is restored into a folder that does not exist yet', async () => {
  const target = join(temporaryFolder(), 'new');
  const { before, manifest } = await restore(good, target);
  expect(before).toBeNull();
  expect(manifest.schema).toBe('1.0.0-tables');
  expect(held(target)).toEqual(held(source));
  expect(await valueOfBot(target, 'status:1:0')).toMatchObject({ messageId });
  expect(await valueOfBot(target, 'placements')).toHaveLength(1);
  expect(readdirSync(target).filter((name) => name.includes('partial'))).toEqual([]);
});

test('present data stay in a folder of their own, and tokens are void', async () => {
  const target = temporaryFolder();
  await fillDataFolder(target);
  const sqlite = new SQLite(storeFile(target));
  sqlite.exec("UPDATE server SET name = 'changed since'");
  sqlite.close();
  const present = held(target);
  const { before } = await restore(good, target);
  expect(held(target)).toEqual(held(source));
  expect(held(before ?? '')).toEqual(present);
  expect(await valueOfBot(before ?? '', 'feed:1:0')).toMatchObject({ through: 7 });
  const store = new SQLite(storeFile(target), { readonly: true });
  const keys = store.prepare('SELECT key FROM keyv').pluck().all() as string[];
  store.close();
  expect(keys.filter((key) => !key.startsWith('bot:'))).toEqual([]);
  // A second one within the same second has a folder of its own.
  expect((await restore(good, target)).before).not.toBe(before);
});

test('posts and alerts stay as they are now, and a kill feed goes on after the restored deaths', async () => {
  const target = temporaryFolder();
  await fillDataFolder(target);
  const small = await openValuesOf(target);
  await small.of('bot').set('status:1:0', { messageId: 'posted again', digest: 'd', answeredAt: null });
  await small.of('bot').set('feed:1:0', { through: 90, outgoing: { nonce: 'n' }, since: 1 });
  const alert = { down: { since: now, seenAt: now, sent: true }, players: null, restart: null };
  await small.of('bot').set('alert:1:0:northwood-1', alert);
  await small.close();
  await restore(good, target);
  expect(await valueOfBot(target, 'status:1:0')).toMatchObject({ messageId: 'posted again' });
  expect(await valueOfBot(target, 'feed:1:0')).toEqual({ through: 0, outgoing: null, since: 1 });
  expect(await valueOfBot(target, 'alert:1:0:northwood-1')).toEqual(alert);
});

test('members keep the roles that the bot has given by now, and it takes only these', async () => {
  const target = temporaryFolder();
  await fillDataFolder(target);
  const rolesIn = (dataFolder: string, ...changes: string[]): unknown[] => {
    const sqlite = new SQLite(storeFile(dataFolder));
    for (const change of changes) sqlite.exec(change);
    const rows = sqlite.prepare('SELECT member_id, state FROM member_role ORDER BY member_id').raw().all();
    sqlite.close();
    return rows;
  };
  const given = (memberId: string) => `INSERT INTO member_role VALUES ('1', '2', '${memberId}', 'given', 3)`;
  rolesIn(target, given('taken since'));
  const file = join(target, 'with-role.tar.gz');
  await backUp(target, file);
  rolesIn(target, 'DELETE FROM member_role', given('given since'));
  await restore(file, target);
  expect(rolesIn(target)).toEqual([['given since', 'given']]);
  // Nothing is known of the present.
  const elsewhere = temporaryFolder();
  await restore(file, elsewhere);
  expect(rolesIn(elsewhere)).toEqual([['taken since', 'given']]);
});

test('a new player gets no id that was given since the backup', async () => {
  const target = temporaryFolder();
  await fillDataFolder(target);
  const newPlayer = (): number => {
    const sqlite = new SQLite(storeFile(target));
    const add = sqlite.prepare('INSERT INTO player (project_id) SELECT id FROM project LIMIT 1 RETURNING id');
    const id = add.pluck().get() as number;
    sqlite.close();
    return id;
  };
  const file = join(target, 'without-players.tar.gz');
  await backUp(target, file);
  const given = [newPlayer(), newPlayer()];
  await restore(file, target);
  expect(newPlayer()).toBeGreaterThan(Math.max(...given));
});

test('nothing is restored while an Outpost runs, or another process has the store open', async () => {
  const target = temporaryFolder();
  await fillDataFolder(target);
  const lock = lockDataFolder(target, 'outpost.yaml', now);
  await expect(restore(good, target)).rejects.toThrow(/^another Outpost is running on the data folder/);
  lock.release();
  const before = contentsOf(target);
  const sqlite = new SQLite(storeFile(target));
  sqlite.prepare('SELECT count(*) FROM server').get();
  await expect(restore(good, target)).rejects.toThrow(/^another process is using .*outpost\.sqlite/);
  sqlite.close();
  expect(contentsOf(target)).toEqual(before);
});

test('says so when the list of forgotten players is lost with the database, which is damaged', async () => {
  const target = temporaryFolder();
  writeFileSync(storeFile(target), 'x'.repeat(5_000));
  expect(await restore(good, target)).toMatchObject({ isListMissing: true });
  expect(await restore(good, target)).toMatchObject({ isListMissing: false });
  expect(await restore(good, temporaryFolder())).toMatchObject({ isListMissing: false });
});

test('a player who is forgotten while a backup is prepared does not come back with it', async () => {
  const target = temporaryFolder();
  await fillDataFolder(target);
  const prepared = restore(good, target, {
    botStateOf(state) {
      const sqlite = new SQLite(storeFile(target));
      sqlite.exec("INSERT INTO forgotten VALUES ('hash')");
      sqlite.close();
      return restoredState(state);
    },
  });
  await expect(prepared).rejects.toThrow(/^a player was forgotten meanwhile: restore the backup again/);
  expect(readdirSync(target).filter((name) => /partial|before/.test(name))).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'says whose a backup is that this user may not read, as one that root copied into a container',
  async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'copied.tar.gz');
    copyFileSync(good, file);
    chmodSync(folder, 0o755);
    chmodSync(file, 0);
    const refused =
      /copied\.tar\.gz cannot be restored: this process runs as user \d+, and .* belongs to user \d+ \(mode 0000\); give this user the right to read it\. Nothing was changed\./;
    await expect(asOrdinaryUser(() => extractBackup(file, folder))).rejects.toThrow(refused);
    chmodSync(folder, 0);
    await expect(asOrdinaryUser(() => extractBackup(file, folder))).rejects.toThrow(refused);
    chmodSync(folder, 0o755);
  },
);

test('damaged data are exchanged like others, and kept', async () => {
  const target = temporaryFolder();
  writeFileSync(join(target, 'outpost.sqlite'), 'x'.repeat(5_000));
  writeFileSync(join(target, 'outpost.sqlite-wal'), 'y'.repeat(5_000));
  const { before } = await restore(good, target);
  expect(existsSync(join(target, 'outpost.sqlite-wal'))).toBe(false);
  expect(readFileSync(join(before ?? '', 'outpost.sqlite-wal'), 'utf8')).toBe('y'.repeat(5_000));
  expect(held(target)).toEqual(held(source));
  expect(await valueOfBot(target, 'status:1:0')).toMatchObject({ messageId });
  expect(readFileSync(join(before ?? '', 'outpost.sqlite'), 'utf8')).toBe('x'.repeat(5_000));
});

test('a log without its store is kept, and does not get into the restored store', async () => {
  const [target, other] = [temporaryFolder(), temporaryFolder()];
  await fillDataFolder(other);
  // As a killed process leaves it: every change is in the log only.
  const sqlite = new SQLite(storeFile(other));
  sqlite.pragma('journal_mode = WAL');
  sqlite.exec("UPDATE server SET name = 'from the log'");
  const log = readFileSync(join(other, 'outpost.sqlite-wal'));
  sqlite.close();
  writeFileSync(join(target, 'outpost.sqlite-wal'), log);
  const { before } = await restore(good, target);
  expect(held(target)).toEqual(held(source));
  expect(readFileSync(join(before ?? '', 'outpost.sqlite-wal'))).toEqual(log);
});

/** Makes an archive of the parts of the good one, changed. */
async function forge(change: (parts: Parts) => void | Promise<void>): Promise<string> {
  const folder = temporaryFolder();
  await extractBackup(good, folder);
  const { manifest } = await backUp(source, join(temporaryFolder(), 'b.tar.gz'));
  const parts: Parts = {
    folder,
    manifest,
    names: ['manifest.json', 'outpost.sqlite'],
    seal: async () => {
      manifest.entries['outpost.sqlite'] = await digestOf(join(folder, 'outpost.sqlite'));
    },
  };
  await change(parts);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const file = join(folder, 'forged.tar.gz');
  await create({ cwd: folder, portable: true, gzip: true, file, preservePaths: true }, parts.names);
  return file;
}
interface Parts {
  folder: string;
  manifest: Manifest;
  names: string[];
  /** Writes the digests of the present files into the manifest. */
  seal(): Promise<void>;
}

function inStore(folder: string, work: (sqlite: SQLiteDatabase) => unknown): void {
  const sqlite = new SQLite(join(folder, 'outpost.sqlite'));
  work(sqlite);
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
}

/** A backup whose store has another schema. */
const withSchema = async (change: string | ((sqlite: SQLiteDatabase) => void)): Promise<string> =>
  await forge(async ({ folder, seal }) => {
    inStore(folder, (sqlite) => (typeof change === 'string' ? sqlite.exec(change) : change(sqlite)));
    await seal();
  });

/** A file of these bytes. */
function fileOf(bytes: Buffer | string): string {
  const file = join(temporaryFolder(), 'forged.tar.gz');
  writeFileSync(file, bytes);
  return file;
}

const hostile: Record<string, [make: () => Promise<string> | string, problem: RegExp]> = {
  'a missing file': [() => join(source, 'none'), /there is no such file/],
  'a folder': [() => source, /it is not a file/],
  'an empty file': [() => fileOf(''), /cannot be restored/],
  'a file of another kind': [() => fileOf('hello'), /it is damaged, or not a backup of Outpost/],
  'a compressed file of another kind': [() => fileOf(gzipSync('hello')), /it is not a backup of Outpost/],
  'a backup without its end': [
    () => fileOf(readFileSync(good).subarray(0, -20)),
    /its end is missing|is damaged/,
  ],
  'half a backup': [
    () => fileOf(readFileSync(good).subarray(0, readFileSync(good).length / 2)),
    /its end is missing|is damaged/,
  ],
  'a backup with a changed byte': [
    () => {
      const bytes = gunzipSync(readFileSync(good));
      bytes[bytes.length - 20_000]! ^= 1;
      return fileOf(gzipSync(bytes));
    },
    /is damaged: its digest is another one/,
  ],
  'a compressed archive in a compressed file': [
    () => fileOf(gzipSync(readFileSync(good))),
    /it is not a backup of Outpost/,
  ],
  'an archive without its store': [() => forge(({ names }) => void names.pop()), /it is not a whole backup/],
  'entries in another order': [
    () => forge((parts) => void (parts.names = parts.names.toReversed())),
    /it is not a backup of Outpost/,
  ],
  'an entry outside the folder': [
    () =>
      forge(async ({ folder, names }) => {
        writeFileSync(join(folder, '../escaped'), 'x');
        names.splice(1, 0, '../escaped');
      }),
    /expected the file outpost\.sqlite, found "\.\.\/escaped"/,
  ],
  'an absolute path': [
    () => forge(({ names }) => void names.splice(1, 0, good)),
    /expected the file outpost\.sqlite, found ".*good\.tar\.gz"/,
  ],
  'a further entry': [
    () => forge(({ folder, names }) => (writeFileSync(join(folder, 'more'), ''), void names.push('more'))),
    /expected no more entries, found "more"/,
  ],
  'a symbolic link instead of the store': [
    () =>
      forge(async ({ folder }) => {
        renameSync(join(folder, 'outpost.sqlite'), join(folder, 'other'));
        await symlink('/etc/passwd', join(folder, 'outpost.sqlite'));
      }),
    /found "outpost\.sqlite" \(SymbolicLink\)/,
  ],
  'a folder instead of the store': [
    () =>
      forge(async ({ folder }) => {
        renameSync(join(folder, 'outpost.sqlite'), join(folder, 'other'));
        await mkdir(join(folder, 'outpost.sqlite'));
      }),
    /found "outpost\.sqlite\/" \(Directory\)/,
  ],
  'a store that is larger than its manifest says': [
    () => forge(({ manifest }) => void (manifest.entries['outpost.sqlite'].bytes = 4_096)),
    /has not the size that its manifest says/,
  ],
  'a store that no disk has room for': [
    () => forge(({ manifest }) => void (manifest.entries['outpost.sqlite'].bytes = 2 ** 50)),
    /the restored store needs .* MB on the disk/,
  ],
  'a gigabyte of zeros behind the entries': [
    () => fileOf(Buffer.concat([readFileSync(good), ...Array.from({ length: 16 }, () => zeros)])),
    /it holds more than its manifest says/,
  ],
  'a manifest that is none': [
    () => forge(({ manifest }) => void Object.assign(manifest, { format: 'other' })),
    /its manifest is not one that this version of Outpost can read/,
  ],
  'the format of a later version': [
    () => forge(({ manifest }) => void Object.assign(manifest, { formatVersion: 2 })),
    /its manifest is not one that this version of Outpost can read/,
  ],
  'a store that is no database': [
    () =>
      forge(async ({ folder, seal }) => {
        writeFileSync(join(folder, 'outpost.sqlite'), 'x'.repeat(10_000));
        await seal();
      }),
    /its database is damaged|is damaged/,
  ],
  'another database': [
    () =>
      forge(async ({ folder, seal }) => {
        inStore(folder, (sqlite) => sqlite.exec('PRAGMA foreign_keys = OFF; DROP TABLE server'));
        await seal();
      }),
    /its database is not a store of Outpost/,
  ],
  'a store with a trigger of another': [
    () =>
      withSchema(
        "CREATE TRIGGER gift AFTER INSERT ON application BEGIN UPDATE application SET plan = 'PRO'; END",
      ),
    /its database has the trigger gift, which is not Outpost's\. Nothing was changed/,
  ],
  'a store with a view of another': [
    () => withSchema('CREATE VIEW gift AS SELECT * FROM player'),
    /its database has the view gift, which is not Outpost's/,
  ],
  'a store with a table of another': [
    () => withSchema('CREATE TABLE gift (id INTEGER)'),
    /its database has the table gift, which is not Outpost's/,
  ],
  'a store with an index of another': [
    () => withSchema('CREATE UNIQUE INDEX gift ON player (project_id) WHERE id > 5'),
    /its database has the index gift, which is not Outpost's/,
  ],
  'a store whose trigger does something else under its name': [
    () =>
      withSchema(
        'DROP TRIGGER ban_counted_in; CREATE TRIGGER ban_counted_in AFTER INSERT ON ban BEGIN DELETE FROM ban; END',
      ),
    /the trigger ban_counted_in of its database is not as Outpost makes it/,
  ],
  'a store whose table has one more column': [
    () => withSchema('ALTER TABLE player ADD COLUMN gift TEXT DEFAULT 1'),
    /the table player of its database is not as Outpost makes it/,
  ],
  'a store without one of its indexes': [
    () =>
      withSchema((sqlite) => {
        const indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL";
        sqlite.exec(`DROP INDEX ${String(sqlite.prepare(indexes).pluck().get())}`);
      }),
    /its database lacks the index /,
  ],
  'a damaged store': [
    () =>
      forge(async ({ folder, seal }) => {
        const bytes = readFileSync(join(folder, 'outpost.sqlite'));
        bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 20_000);
        writeFileSync(join(folder, 'outpost.sqlite'), bytes);
        await seal();
      }),
    /is damaged/,
  ],
  'the store of a later version': [
    () =>
      forge(async ({ folder, seal }) => {
        inStore(folder, (sqlite) => {
          sqlite.exec("INSERT INTO kysely_migration VALUES ('1.1.0-later', '2030-01-01')");
        });
        await seal();
      }),
    /was made by a newer Outpost \(migration 1\.1\.0-[a-z]+\); this is .* Start that version or a newer one/,
  ],
};
const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));

describe('refuses, and leaves the data as they are:', () => {
  test.each(Object.entries(hostile))('%s', async (_, [make, problem]) => {
    const target = temporaryFolder();
    await fillDataFolder(target);
    const before = contentsOf(target);
    const file = await make();
    await expect(restore(file, target)).rejects.toThrow(problem);
    expect(contentsOf(target)).toEqual(before);
    expect(readdirSync(target).filter((name) => /partial|before/.test(name))).toEqual([]);
  });
});

test.skipIf(!canMountDisks)(
  'a disk that is too small stays as it is (needs root on Linux)',
  async (context) => {
    const disk = smallDisk(2);
    if (disk === null) return context.skip('no tmpfs can be mounted here');
    await expect(restore(good, disk.folder)).rejects.toThrow(
      /the restored store needs \d+ MB on the disk of/,
    );
    expect(readdirSync(disk.folder).filter((name) => name.includes('sqlite'))).toEqual([]);
  },
);
