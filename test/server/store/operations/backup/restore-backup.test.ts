import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { SQLite, type SQLiteDatabase } from '../../../../../src/server/store/engine/driver.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { unpackBackup } from '../../../../../src/server/store/operations/backup/unpack-backup.ts';
import { storeFile } from '../../../../../src/server/store/engine/database.ts';
import { lockDataFolder } from '../../../../../src/server/store/engine/folder-lock.ts';
import { asOrdinaryUser } from '../../../../harness/ordinary-user.ts';
import { canMountDisks, smallDisk } from '../../../../harness/small-disk.ts';
import { storeContents } from '../../../../harness/store-digest.ts';
import { temporaryFolder } from '../../../ingest/fixture.ts';
import { backUp, contentsOf, fillDataFolder, messageId, now, restore, valueOfBot } from './backup-world.ts';

let source: string;
let good: string;
beforeAll(async () => {
  source = await mkdtemp(join(tmpdir(), 'outpost-backup-source-'));
  await fillDataFolder(source);
  good = join(source, 'good.sqlite.gz');
  await backUp(source, good);
});

/** What the store holds but for how far logs were read, and tokens. */
function held(dataFolder: string): Record<string, string[]> {
  const { log_file: _, keyv: __, ...tables } = storeContents(storeFile(dataFolder));
  return tables;
}

test('a backup is restored into a folder that does not exist yet', async () => {
  const target = join(temporaryFolder(), 'new');
  const { before } = await restore(good, target);
  expect(before).toBeNull();
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
  const file = join(target, 'with-role.sqlite.gz');
  await backUp(target, file);
  rolesIn(target, 'DELETE FROM member_role', given('given since'));
  await restore(file, target);
  expect(rolesIn(target)).toEqual([['given since', 'given']]);
  // Nothing is known of the present.
  const elsewhere = temporaryFolder();
  await restore(file, elsewhere);
  expect(rolesIn(elsewhere)).toEqual([['taken since', 'given']]);
});

test('a backup of an earlier version gets the figures of newer metrics', async () => {
  const older = await forge(`
    DROP INDEX leaderboard_suicides; ALTER TABLE player_stats DROP COLUMN suicides;
    ALTER TABLE imported_stats DROP COLUMN suicides;
    ALTER TABLE log_run_player DROP COLUMN suicides;
  `);
  const target = temporaryFolder();
  await restore(older, target);
  const players = (folder: string) => held(folder)['player']?.length;
  expect(players(target)).toBe(players(source));
  const sqlite = new SQLite(storeFile(target), { readonly: true });
  const suicides = 'SELECT suicides FROM player_stats INDEXED BY leaderboard_suicides WHERE suicides > 0';
  expect(sqlite.prepare(suicides).all()).toEqual([]);
  sqlite.close();
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
  const file = join(target, 'without-players.sqlite.gz');
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
  const present = held(target);
  const { signal } = new AbortController();
  // The last time before the stores are exchanged.
  signal.throwIfAborted = () => {
    const sqlite = new SQLite(storeFile(target));
    sqlite.exec('UPDATE rights SET revision = revision + 1');
    sqlite.close();
  };
  await expect(restore(good, target, { signal })).rejects.toThrow(
    /^players were hidden, shown or forgotten meanwhile: restore the backup again/,
  );
  expect({ ...held(target), rights: null }).toEqual({ ...present, rights: null });
});

test.skipIf(process.platform === 'win32')(
  'says whose a backup is that this user may not read, as one that root copied into a container',
  async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'copied.sqlite.gz');
    copyFileSync(good, file);
    chmodSync(folder, 0o755);
    chmodSync(file, 0);
    const refused =
      /copied\.sqlite\.gz cannot be restored: this process runs as user \d+, and .* belongs to user \d+ \(mode 0000\); give this user the right to read it\. Nothing was changed\./;
    await expect(asOrdinaryUser(() => unpackBackup(file, join(tmpdir(), 'unpacked')))).rejects.toThrow(
      refused,
    );
    chmodSync(folder, 0);
    await expect(asOrdinaryUser(() => unpackBackup(file, join(tmpdir(), 'unpacked')))).rejects.toThrow(
      refused,
    );
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

/** A backup whose store was changed. */
async function forge(change: string | ((sqlite: SQLiteDatabase) => void)): Promise<string> {
  const store = join(temporaryFolder(), 'outpost.sqlite');
  await unpackBackup(good, store);
  const sqlite = new SQLite(store);
  if (typeof change === 'string') sqlite.exec(change);
  else change(sqlite);
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
  return fileOf(gzipSync(readFileSync(store)));
}

/** A file of these bytes. */
function fileOf(bytes: Buffer | string): string {
  const file = join(temporaryFolder(), 'forged.sqlite.gz');
  writeFileSync(file, bytes);
  return file;
}

const hostile: Record<string, [make: () => Promise<string> | string, problem: RegExp]> = {
  'a missing file': [() => join(source, 'none'), /there is no such file/],
  'a folder': [() => source, /it is not a file/],
  'an empty file': [() => fileOf(''), /cannot be restored/],
  'a file of another kind': [() => fileOf('hello'), /is not a backup of Outpost/],
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
      const bytes = Buffer.from(readFileSync(good));
      bytes[Math.floor(bytes.length / 2)]! ^= 1;
      return fileOf(bytes);
    },
    /is damaged/,
  ],
  'a backup that was compressed twice': [
    () => fileOf(gzipSync(readFileSync(good))),
    /it is not a backup of Outpost/,
  ],
  'a gigabyte of zeros': [() => fileOf(Buffer.concat(gigabyte)), /it is not a backup of Outpost/],
  'a store that is no database': [
    () => fileOf(gzipSync(`SQLite format 3\0${'x'.repeat(10_000)}`)),
    /is damaged/,
  ],
  'another database': [
    () => forge('PRAGMA foreign_keys = OFF; DROP TABLE server'),
    /its database is not a store of Outpost/,
  ],
  'a store with a trigger of another': [
    () =>
      forge("CREATE TRIGGER gift AFTER INSERT ON application BEGIN UPDATE application SET plan = 'PRO'; END"),
    /its database has the trigger gift, which is not Outpost's\. Nothing was changed/,
  ],
  'a store with a view of another': [
    () => forge('CREATE VIEW gift AS SELECT * FROM player'),
    /its database has the view gift, which is not Outpost's/,
  ],
  'a store with a virtual table': [
    () => forge('CREATE VIRTUAL TABLE gift USING fts5(name)'),
    /its database has the table gift, which is not Outpost's/,
  ],
  'a damaged store': [
    () => {
      const bytes = gunzipSync(readFileSync(good));
      bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 20_000);
      return fileOf(gzipSync(bytes));
    },
    /is damaged/,
  ],
  'the store of a later version': [
    () => forge("INSERT INTO kysely_migration VALUES ('1.1.0-later', '2030-01-01')"),
    /was made by a newer Outpost \(migration 1\.1\.0-[a-z]+\); this is .* Start that version or a newer one/,
  ],
};
const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
const gigabyte = Array.from({ length: 16 }, () => zeros);

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
  'a backup that holds more than the disk has room for is not unpacked to its end (needs root on Linux)',
  async (context) => {
    const disk = smallDisk(80);
    if (disk === null) return context.skip('no tmpfs can be mounted here');
    await restore(good, disk.folder);
    const before = contentsOf(disk.folder);
    const bomb = fileOf(Buffer.concat([readFileSync(good), ...gigabyte]));
    await expect(restore(bomb, disk.folder)).rejects.toThrow(
      /the restored store needs more than \d+ MB on the disk of/,
    );
    expect(contentsOf(disk.folder)).toEqual(before);
  },
);
