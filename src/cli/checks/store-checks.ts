import { constants, existsSync } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { leaseHolders } from '../../server/store/cluster/lease-table.ts';
import { inspectStore } from '../../server/store/engine/check-store.ts';
import { type Reader, storeFile } from '../../server/store/engine/database.ts';
import { leastFreeBytes, nearestExisting } from '../../server/store/engine/disk-space.ts';
import { StoreError } from '../../server/store/engine/error.ts';
import { inspectPostgres } from '../../server/store/engine/postgres/server.ts';
import { shownUrl } from '../../server/store/engine/postgres/url.ts';
import { sizeText } from '../output.ts';
import { about, inTwo, type Finding, type Findings } from './finding.ts';
import type { Machine } from './installation.ts';

const key = 'OUTPOST_DATA';

/** Whether the data folder can be used, or created, and whether its disk has room. */
export async function checkDataFolder(folder: string, { freeBytes }: Machine): Promise<Findings> {
  const report = about(key, folder);
  const nearest = nearestExisting(folder);
  try {
    await readdir(nearest);
    await access(nearest, constants.W_OK);
  } catch (error) {
    const next =
      'let the user that runs Outpost read and write the folder, or name another one in OUTPOST_DATA; docs/operation.md says more';
    return report.wrong((error as Error).message, next);
  }
  const free = await freeBytes(folder);
  const disk = about(key, `disk of ${folder}`);
  return [
    report.good(
      nearest === folder ? 'can be read and written' : 'does not exist yet: the first start creates it',
    ),
    free < leastFreeBytes
      ? disk.wrong(
          `${sizeText(free)} free: Outpost can soon store nothing more`,
          'free some space, or name a folder on another disk in OUTPOST_DATA',
        )
      : disk.good(`${sizeText(free)} free`),
  ];
}

/** Whether the store in the data folder is sound and of this version. It is read through, about 120 MB a second. */
export function checkStore(folder: string): Findings {
  if (!existsSync(folder)) return [];
  const file = storeFile(folder);
  const report = about(key, file);
  try {
    const size = inspectStore(file);
    return report.good(
      size === null ? 'does not exist yet: the first start creates it' : `sound, ${sizeText(size)}`,
    );
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return report.wrong(...inTwo(error.message, 'docs/operation.md says more'));
  }
}

export async function checkPostgres(storeUrl: string): Promise<Finding> {
  const report = about('OUTPOST_STORE_URL', shownUrl(storeUrl));
  try {
    const { version, size, isNew } = await inspectPostgres(storeUrl);
    return report.good(
      `PostgreSQL ${version} answers${isNew ? '; the first start creates the tables' : `, ${sizeText(size)}`}`,
    );
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return report.wrong(...inTwo(error.message, 'docs/processes.md says more'));
  }
}

/** The processes that share the store, and the work that each holds. */
export async function listProcesses(db: Reader): Promise<Findings> {
  const holders = await leaseHolders(db);
  if (holders.length === 0) return about('processes', 'OUTPOST_STORE_URL').good('none is running');
  return holders.map(({ owner, leases }) =>
    about('process', owner).good(leases.length === 0 ? 'holds no lease' : `holds ${leases.join(', ')}`),
  );
}
