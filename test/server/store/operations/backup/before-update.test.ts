import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQLite } from '../../../../../src/server/store/engine/driver.ts';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Manifest } from '../../../../../src/server/store/operations/backup/manifest.ts';
import { readManifest } from '../../../../../src/server/store/operations/backup/read-archive.ts';
import { openWriter, storeFile } from '../../../../../src/server/store/engine/database.ts';
import { backUpBeforeUpdate } from '../../../../../src/server/store/operations/backup/before-update.ts';
import { migrations } from '../../../../../src/server/store/engine/migrations/index.ts';
import {
  type EarlierStore,
  makeEarlierStores,
  rowsIn,
  type TableRows,
} from '../../../../harness/earlier-stores.ts';
import { canMountDisks, smallDisk } from '../../../../harness/small-disk.ts';
import { restore, temporaryFolder } from './backup-world.ts';

/** From the first release on. */
const names = Object.keys(migrations).filter((name) => name > '0012');
const latest = names.at(-1) ?? '';
let stores: Map<string, EarlierStore>;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-earlier-'));
  const made = await makeEarlierStores(join(folder, 'store.sqlite'));
  stores = new Map(made.map((store) => [store.name, store]));
  await rm(folder, { recursive: true });
});

function at(name: string): EarlierStore {
  const store = stores.get(name);
  if (store === undefined) throw new Error(`no store at ${name}`);
  return store;
}

/** A data folder with the store of an earlier version. */
function placed(name: string, folder = temporaryFolder()): string {
  writeFileSync(storeFile(folder), at(name).bytes);
  return folder;
}

async function open(folder: string): Promise<void> {
  const { close } = await openWriter(storeFile(folder), {
    busyTimeoutMs: 5_000,
    beforeUpdate: backUpBeforeUpdate,
  });
  await close();
}

const backups = (folder: string): string[] => readdirSync(join(folder, 'backups'));

/** Columns that a later migration computes anew. */
const computed: Record<string, readonly string[]> = {
  project: ['leaderboard_revision'],
  ban_list: ['served_bans'],
};
/** Tables that a later migration replaces by another one. */
const replaced: Record<string, string> = { restored_value: 'keyv' };

/** The rows of an earlier store that are missing in a later one, by the columns that both have. */
function lost(before: TableRows, after: TableRows): unknown[] {
  return Object.entries(before).flatMap(([table, rows]) => {
    const name = after[table] === undefined ? (replaced[table] ?? table) : table;
    const now = after[name] ?? [];
    return rows.filter((row) => {
      const columns = Object.keys(row).filter(
        (column) => now[0] !== undefined && column in now[0] && computed[name]?.includes(column) !== true,
      );
      const isSame = (each: TableRows[string][number]) =>
        columns.every((column) => each[column] === row[column]);
      return columns.length === 0 || !now.some(isSame);
    });
  });
}

/** The complete backups, oldest first. */
async function listBackups(folder: string): Promise<{ file: string; manifest: Manifest }[]> {
  const files = backups(folder).filter((name) => name.endsWith('.tar.gz'));
  const found = files.map(async (name) => {
    const file = join(folder, 'backups', name);
    return { file, manifest: await readManifest(file) };
  });
  return (await Promise.all(found)).toSorted((one, other) =>
    one.manifest.createdAt.localeCompare(other.manifest.createdAt),
  );
}

test.each(names.slice(0, -1))(
  'a store at %s opens, keeps its data, and is backed up before',
  async (name) => {
    const { rows } = at(name);
    expect(Object.values(rows).every((each) => each.length > 0)).toBe(true);
    const folder = placed(name);
    await open(folder);
    expect(lost(rows, rowsIn(storeFile(folder)))).toEqual([]);
    const sqlite = new SQLite(storeFile(folder));
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(sqlite.pragma('foreign_key_check')).toEqual([]);
    sqlite.close();

    const [backup, ...others] = await listBackups(folder);
    expect(others).toEqual([]);
    expect(backup?.manifest).toMatchObject({ reason: 'update', schema: name });
    const target = temporaryFolder();
    await restore(backup?.file ?? '', target);
    // A restore replaces these.
    const { restored_server: _, restored_value: __, keyv: ___, ...kept } = rows;
    expect(lost(kept, rowsIn(storeFile(target)))).toEqual([]);
  },
);

test('the log says when the store is backed up before an update, and when that is done', async () => {
  const folder = placed(names[0] ?? '');
  const lines: string[] = [];
  const report = (text: string) => void lines.push(`${backups(folder).length}: ${text}`);
  const beforeUpdate = async (file: string) => await backUpBeforeUpdate(file, report);
  await (await openWriter(storeFile(folder), { busyTimeoutMs: 1_000, beforeUpdate })).close();
  expect(lines).toEqual([
    expect.stringMatching(
      /^0: the database is from an earlier version: backing it up before the update \(1 MB\)$/,
    ),
    expect.stringMatching(/^1: backed up to .*before-update-.*\.tar\.gz; updating the database$/),
  ]);
});

test('a store of this version, and a new one, are not backed up', async () => {
  const folder = placed(latest);
  await open(folder);
  await open(folder);
  expect(readdirSync(folder)).not.toContain('backups');
  const other = temporaryFolder();
  await open(other);
  expect(readdirSync(other)).not.toContain('backups');
});

test('of the backups before updates the last three are kept, and the owner’s own ones all', async () => {
  const folder = temporaryFolder();
  // Their order is that of the times in their names, which have whole seconds.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const name of names.slice(0, 5)) {
    vi.setSystemTime(Date.now() + 1_000);
    placed(name, folder);
    await open(folder);
    writeFileSync(join(folder, 'backups', 'notes.txt'), '');
  }
  const schemas = (await listBackups(folder)).map(({ manifest }) => manifest.schema);
  expect(schemas).toEqual(names.slice(2, 5));
  expect(backups(folder)).toContain('notes.txt');
});

test('a migration that fails leaves the store as it was, those before it included', async () => {
  const folder = placed('0013-remote-files');
  const sqlite = new SQLite(storeFile(folder));
  // 0016 creates it.
  sqlite.exec('CREATE INDEX player_by_name ON player (name)');
  sqlite.close();
  await expect(open(folder)).rejects.toThrow(/^migration of .* failed: .*player_by_name already exists/);
  const { rows } = at('0013-remote-files');
  expect(rowsIn(storeFile(folder))).toEqual(rows);
  expect((await listBackups(folder)).map(({ manifest }) => manifest.schema)).toEqual(['0013-remote-files']);
});

test.skipIf(!canMountDisks)(
  'without space for the backup nothing is migrated, and the message says what to do (needs root on Linux)',
  async (context) => {
    const disk = smallDisk(8);
    if (disk === null) return context.skip('no tmpfs can be mounted here');
    placed('0014-deaths', disk.folder);
    const before = readFileSync(storeFile(disk.folder));
    await expect(open(disk.folder)).rejects.toThrow(
      /could not back it up first: a backup needs \d+ MB on the disk of .* Free some space, then try again\. The database is unchanged\./,
    );
    expect(readFileSync(storeFile(disk.folder))).toEqual(before);
  },
);

test('a store of an earlier version is refused, and unchanged, where nothing backs it up', async () => {
  const file = storeFile(placed(names[0] ?? ''));
  const before = rowsIn(file);
  await expect(openWriter(file, { busyTimeoutMs: 1_000 })).rejects.toThrow(/is from an earlier version/);
  expect(rowsIn(file)).toEqual(before);
});
