import { constants, existsSync } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { inspectStore } from '../../server/store/engine/check-store.ts';
import { storeFile } from '../../server/store/engine/database.ts';
import { leastFreeBytes, nearestExisting } from '../../server/store/engine/disk-space.ts';
import { StoreError } from '../../server/store/engine/error.ts';
import { sizeText } from '../output.ts';
import { about, inTwo, type Finding } from './finding.ts';
import type { Machine } from './installation.ts';

const key = 'OUTPOST_DATA';

/** Whether the data folder can be used, or created, and whether its disk has room. */
export async function checkDataFolder(folder: string, { freeBytes }: Machine): Promise<Finding[]> {
  const report = about(key, folder);
  const nearest = nearestExisting(folder);
  try {
    await readdir(nearest);
    await access(nearest, constants.W_OK);
  } catch (error) {
    return [report('data.unusable', { message: (error as Error).message })];
  }
  const free = await freeBytes(folder);
  return [
    report(nearest === folder ? 'data.usable' : 'data.new'),
    about(key, `disk of ${folder}`)(free < leastFreeBytes ? 'disk.full' : 'disk.room', {
      free: sizeText(free),
    }),
  ];
}

/** Whether the store in the data folder is sound and of this version. It is read through, about 120 MB a second. */
export function checkStore(folder: string): Finding[] {
  if (!existsSync(folder)) return [];
  const file = storeFile(folder);
  const report = about(key, file);
  try {
    const size = inspectStore(file);
    return [size === null ? report('store.new') : report('store.sound', { size: sizeText(size) })];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [report('store.unusable', inTwo(error.message, 'docs/operation.md says more'))];
  }
}
