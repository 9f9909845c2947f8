import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configSchema } from '../../../../../src/config/schema.ts';
import {
  createBackup,
  type BackupOptions,
} from '../../../../../src/server/store/operations/backup/create-backup.ts';
import {
  restoreBackup,
  type RestoreOptions,
} from '../../../../../src/server/store/operations/backup/restore-backup.ts';
import { openWriter, storeFile } from '../../../../../src/server/store/engine/database.ts';
import { openValuesOf } from '../../../../harness/small-values.ts';
import { trustHost } from '../../../../../src/server/store/repositories/projects/trusted-hosts.ts';
import { reconcile } from '../../../../../src/server/store/repositories/projects/reconcile.ts';
import { northwood } from '../../../../harness/northwood.ts';

export const now = Date.parse('2026-11-22T12:00:00Z');
export const messageId = '1573971174436634624';
/** Values of the namespaces that no backup may contain. */
export const secrets = ['ops_secret-token-value', 'secret-token-key', 'secret-held-token'];

let filled: Promise<Map<string, Buffer>> | undefined;

/** Fills a data folder as a service with a bot leaves it. */
export async function fillDataFolder(dataFolder: string): Promise<void> {
  filled ??= newDataFolder();
  for (const [name, bytes] of await filled) writeFileSync(join(dataFolder, name), bytes);
}

async function newDataFolder(): Promise<Map<string, Buffer>> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'outpost-backup-'));
  const { db, close } = await openWriter(storeFile(dataFolder));
  await reconcile(db, configSchema.parse(northwood()));
  await trustHost(db, 'sftp://host:22', 'SHA256:pinned');
  await close();
  const small = await openValuesOf(dataFolder);
  await small.of('tokens').set(secrets[0]!, { applicationId: 'app' });
  await small.of('token-key').set('key', { key: secrets[1] });
  await small.of('held-token').set('app', { token: secrets[2] });
  await small.of('bot').set('status:1:0', { messageId, digest: 'd', answeredAt: now });
  await small.of('bot').set('feed:1:0', { through: 7, outgoing: null, since: 1 });
  await small.of('bot').set('placements', [{ id: 'a', content: { kind: 'status' } }]);
  await small.close();
  const files = new Map([['outpost.sqlite', readFileSync(storeFile(dataFolder))]]);
  rmSync(dataFolder, { recursive: true });
  return files;
}

export async function valueOfBot(dataFolder: string, key: string): Promise<unknown> {
  const small = await openValuesOf(dataFolder);
  try {
    return await small.of('bot').get(key);
  } finally {
    await small.close();
  }
}

export const backUp = (dataFolder: string, file: string, options: Partial<BackupOptions> = {}) =>
  createBackup({ dataFolder, file, check: true, ...options });

export const restore = (file: string, dataFolder: string, options: Partial<RestoreOptions> = {}) =>
  restoreBackup({ file, dataFolder, configFile: '', now, ...options });

/** Every file below a folder with a digest of its content, without SQLite's empty logs and the locks. */
export function contentsOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const paths = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (path) => statSync(join(folder, path)).isFile() && !/-(?:wal|shm)$|\.lock/.test(path),
  );
  return Object.fromEntries(
    paths.toSorted().map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]),
  );
}
