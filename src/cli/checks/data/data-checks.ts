import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { foreignPaths, openToOthers } from '../../../server/store/engine/data-folder.ts';
import { type DiskSpace, leastFreeBytes, nearestExisting } from '../../../server/store/engine/disk-space.ts';
import { StoreError } from '../../../server/store/engine/error.ts';
import { storageProblem } from '../../../server/store/engine/storage-errors.ts';
import { inspectStore } from '../../../server/store/engine/check-store.ts';
import { storeFile } from '../../../server/store/engine/database.ts';
import { sizeText } from '../../output.ts';
import { about, type Finding } from '../finding.ts';

const key = 'OUTPOST_DATA';

/** Whether the data folder can be used, or created. */
function checkFolder(folder: string): Finding {
  const here = about(key, folder);
  const nearest = nearestExisting(folder);
  try {
    if (!statSync(nearest).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return here.wrong(...split(storageProblem(folder, error)?.message ?? (error as Error).message));
  }
  return here.good(
    nearest === folder ? 'can be read and written' : 'does not exist yet: the first start creates it',
  );
}

/** Whether Outpost's user can use the folder and its files there. @returns `isUsable`: the folder itself */
export function checkAccess(folder: string): { findings: Finding[]; isUsable: boolean } {
  const usable = checkFolder(folder);
  if (usable.status !== 'good') return { findings: [usable], isUsable: false };
  const owners = checkOwners(folder);
  // Who does not own a file cannot close it to others.
  return { findings: [usable, ...(owners.length > 0 ? owners : checkModes(folder))], isUsable: true };
}

/** Whether every file of Outpost in the folder is its user's: what root has created there is not. */
function checkOwners(folder: string): Finding[] {
  const foreign = existsSync(folder) ? foreignPaths(folder) : [];
  if (foreign.length === 0) return [];
  const isRoot = process.geteuid?.() === 0;
  const user = isRoot ? statSync(folder).uid : process.geteuid?.();
  const named = foreign.slice(0, 5).map(({ path, uid }) => `${relative(folder, path)} (of user ${uid})`);
  const more = foreign.length - named.length;
  return [
    // Where root runs Outpost, its files are root's whoever owns the folder.
    about(key, folder)[isRoot ? 'warning' : 'wrong'](
      `user ${user} cannot use ${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`,
      `run: sudo chown -R ${user} ${JSON.stringify(folder)}`,
    ),
  ];
}

/** The first sentence of a message for owners says what happened, the others what to do. */
export function split(message: string): [found: string, next: string] {
  const end = message.indexOf('. ');
  if (end < 0) return [message, 'check the folder that OUTPOST_DATA names'];
  return [message.slice(0, end), message.slice(end + 2)];
}

/** Whether others on this machine can read what the config keeps private. */
function checkModes(folder: string): Finding[] {
  if (!existsSync(folder)) return [];
  const open = openToOthers(folder).map((path) => (path === folder ? 'it' : basename(path)));
  if (open.length === 0) return [];
  return [
    about(key, folder).warning(
      `every user of this machine can read ${open.join(', ')}`,
      `run: chmod -R o-rwx ${JSON.stringify(folder)}`,
    ),
  ];
}

const comfortable = 1024 ** 3;

/** Whether the disk has room. @param storeSize bytes; a back-up or an update copies the store */
export function checkSpace(folder: string, { free }: DiskSpace, storeSize: number): Finding {
  const disk = about(key, `disk of ${folder}`);
  const found = `${sizeText(free)} free`;
  const next = 'free some space, or name a folder on another disk in OUTPOST_DATA';
  if (free < leastFreeBytes) return disk.wrong(`${found}: Outpost can soon store nothing more`, next);
  if (free < Math.max(comfortable, storeSize)) {
    return disk.warning(
      `${found}; the store has ${sizeText(storeSize)}, and a back-up or an update copies it`,
      next,
    );
  }
  return disk.good(found);
}

/** Magic numbers of file systems over a network. Source: Linux's statfs(2). */
const networks = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE (such as sshfs)'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
]);

/** Whether the folder is on a network share, whose locks SQLite cannot rely on. */
export function checkFileSystem(
  folder: string,
  { type }: DiskSpace,
  realPath: (path: string) => string = realpathSync.native,
): Finding[] {
  // Windows has no such numbers. There, the real path on a mapped drive is that of its share, too.
  const isShare = realPath(nearestExisting(folder)).startsWith('\\\\');
  const name = isShare ? 'SMB' : networks.get(type);
  if (name === undefined) return [];
  return [
    about(key, folder).warning(
      `is on a network file system, ${name}: its locks are unreliable, and the store can be damaged`,
      'name a folder on a disk of this machine in OUTPOST_DATA',
    ),
  ];
}

/** Whether the store is sound and of this version. */
export function checkStoreFile(folder: string): { finding: Finding; size: number } {
  const file = storeFile(folder);
  const store = about(key, file);
  try {
    const size = inspectStore(file);
    if (size === null)
      return { finding: store.good('does not exist yet: the first start creates it'), size: 0 };
    return { finding: store.good(`sound, ${sizeText(size)}`), size };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { finding: store.wrong(...split(error.message)), size: 0 };
  }
}
