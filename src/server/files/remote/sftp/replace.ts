import type { SFTPWrapper, Stats } from 'ssh2';
import type { FileStat } from '../../file-port.ts';
import { refuseIfChanged } from '../../file-stamp.ts';
import { ask, done } from './ask.ts';

/**
 * Replaces a file with one that is written beside it, with the old one's mode.
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
  const temporary = `${path}.outpost-new`;
  try {
    await write(sftp, temporary, content, expected === null ? null : await modeOf(sftp, path));
    refuseIfChanged(await stat(), expected);
    await done((callback) => sftp.ext_openssh_rename(temporary, path, callback));
  } catch (error) {
    await done((callback) => sftp.unlink(temporary, callback)).catch(() => undefined);
    throw error;
  }
}

async function modeOf(sftp: SFTPWrapper, path: string): Promise<number> {
  const { mode } = await ask<Stats>((callback) => sftp.stat(path, callback));
  return mode & 0o777;
}

async function write(sftp: SFTPWrapper, path: string, content: Buffer, mode: number | null): Promise<void> {
  const handle = await ask<Buffer>((callback) => sftp.open(path, 'w', callback));
  try {
    if (content.length > 0) {
      await done((callback) => sftp.write(handle, content, 0, content.length, 0, callback));
    }
    if (mode !== null) await done((callback) => sftp.fchmod(handle, mode, callback));
    // Not every server can; the others have written it as they write everything.
    await done((callback) => sftp.ext_openssh_fsync(handle, callback)).catch(() => undefined);
  } finally {
    await done((callback) => sftp.close(handle, callback));
  }
}
