import { type FileHandle, open, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { renameOver } from '../../process/rename.ts';
import { type FileStat, fileStat } from './file-port.ts';
import { refuseIfChanged } from './file-stamp.ts';

const notFound = (error: unknown): null => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
};

/** A file gets its folder's access rights, without the right to execute. Source of the numbers: POSIX file modes. */
async function likeFolder(path: string): Promise<{ mode: number; uid: number; gid: number }> {
  const { mode, uid, gid } = await stat(dirname(path));
  return { mode: mode & 0o666, uid, gid };
}

/**
 * Replaces a file's content atomically: readers see the old file or the new one, never a part. The new one is written
 * beside it, with the old one's mode and, if permitted, its owner.
 * @param expected the file's state as it was read; null: there is no file yet, and the new one gets its folder's mode
 * and owner
 * @throws FileError with the code `ECHANGED`, or the error of the file system; the file is then unchanged
 */
export async function replaceFile(path: string, bytes: Buffer, expected: FileStat | null): Promise<void> {
  // A symbolic link is kept.
  const target = expected === null ? path : await realpath(path);
  const { mode, uid, gid } = expected === null ? await likeFolder(path) : await stat(target);
  // A file without write permission must not be replaced either, although its folder would permit it.
  if (expected !== null) await (await open(target, 'r+')).close();
  const temporary = `${target}.outpost-new`;
  await rm(temporary, { force: true });
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(bytes);
      await keepOwner(handle, mode, uid, gid);
      await handle.sync();
    } finally {
      await handle.close();
    }
    refuseIfChanged(await stat(target).then(fileStat, notFound), expected);
    await renameOver(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * The game writes the file as well, so it must keep its user or be writable by a group that both are in. Source of
 * the numbers: POSIX file modes. On Windows the file inherits the rights of its folder.
 */
async function keepOwner(handle: FileHandle, mode: number, uid: number, gid: number): Promise<void> {
  await handle.chown(uid, gid).catch(() => handle.chown(-1, gid).catch(() => undefined));
  await handle.chmod(mode & 0o7777);
  const now = await handle.stat();
  const groupMayWrite = now.gid === gid && (mode & 0o020) !== 0;
  if (now.uid !== uid && !groupMayWrite) {
    throw new Error(
      'it belongs to another user: run Outpost as that user, or let both write through a group',
    );
  }
}
