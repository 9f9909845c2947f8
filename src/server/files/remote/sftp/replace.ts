import type { SFTPWrapper, Stats } from 'ssh2';
import { FileError, type FileStat } from '../../file-port.ts';
import { refuseIfChanged } from '../../file-stamp.ts';
import { ask, done } from './ask.ts';

/**
 * Replaces a file with one that is written beside it, with the old one's mode and, if permitted, its owner, as
 * `replaceFile` does on this machine.
 * @param stat reads the file's state; null: there is no file
 * @throws FileError, with the code `ECHANGED` if the file is not as expected; it is then unchanged
 */
export async function replaceOverSftp(
  sftp: SFTPWrapper,
  path: string,
  content: Buffer,
  expected: FileStat | null,
  stat: () => Promise<FileStat | null>,
): Promise<void> {
  // A symbolic link is kept.
  const target = expected === null ? path : await ask<string>((callback) => sftp.realpath(path, callback));
  const old = expected === null ? null : await statOfWritable(sftp, target);
  const temporary = `${target}.outpost-new`;
  try {
    await write(sftp, temporary, content, old);
    refuseIfChanged(await stat(), expected);
    await done((callback) => sftp.ext_openssh_rename(temporary, target, callback));
  } catch (error) {
    await done((callback) => sftp.unlink(temporary, callback)).catch(() => undefined);
    throw error;
  }
}

/** @throws FileError if the file has no write permission: it must not be replaced then, although its folder permits it */
async function statOfWritable(sftp: SFTPWrapper, path: string): Promise<Stats> {
  const handle = await ask<Buffer>((callback) => sftp.open(path, 'r+', callback));
  await done((callback) => sftp.close(handle, callback));
  return await ask<Stats>((callback) => sftp.stat(path, callback));
}

async function write(sftp: SFTPWrapper, path: string, content: Buffer, old: Stats | null): Promise<void> {
  const handle = await ask<Buffer>((callback) => sftp.open(path, 'w', callback));
  try {
    if (content.length > 0) {
      await done((callback) => sftp.write(handle, content, 0, content.length, 0, callback));
    }
    if (old !== null) await keepOwner(sftp, handle, old);
    // Not every server can; the others have written it as they write everything.
    await done((callback) => sftp.ext_openssh_fsync(handle, callback)).catch(() => undefined);
  } finally {
    await done((callback) => sftp.close(handle, callback));
  }
}

/**
 * The game writes the file as well, so it must keep its user or be writable by a group that both are in. Source of
 * the numbers: POSIX file modes.
 */
async function keepOwner(sftp: SFTPWrapper, handle: Buffer, { uid, gid, mode }: Stats): Promise<void> {
  const state = async (): Promise<Stats> => await ask<Stats>((callback) => sftp.fstat(handle, callback));
  const own = async (user: number): Promise<void> =>
    await done((callback) => sftp.fchown(handle, user, gid, callback));
  const made = await state();
  if (made.uid !== uid || made.gid !== gid) {
    await own(uid).catch(async () => await own(made.uid).catch(() => undefined));
  }
  // Not every server says of a file what rights it has.
  if ((mode as number | undefined) === undefined) return;
  await done((callback) => sftp.fchmod(handle, mode & 0o777, callback));
  const now = await state();
  const groupMayWrite = now.gid === gid && (mode & 0o020) !== 0;
  if (now.uid === uid || groupMayWrite) return;
  throw new FileError({
    message:
      'it belongs to another user there, and the game could not write it any more: log in as that user, or let both ' +
      'write through a group',
  });
}
