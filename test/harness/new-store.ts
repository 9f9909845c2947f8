import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWriter, type WriteDatabase, type WriterOptions } from '../../src/server/store/database.ts';

let migrated: Promise<Buffer> | undefined;

/** Opens a new store. Creating its tables costs most of that, so it is done once a process, and every store is a copy. */
export async function openNewStore(file: string, options: WriterOptions): Promise<WriteDatabase> {
  migrated ??= newStore();
  await writeFile(file, await migrated, { flag: 'wx' });
  return await openWriter(file, options);
}

async function newStore(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-store-'));
  try {
    const file = join(folder, 'outpost.sqlite');
    const { close } = await openWriter(file, { busyTimeoutMs: 5_000 });
    await close();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
