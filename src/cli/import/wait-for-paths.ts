import { join } from 'node:path';
import { fileErrorCode } from '../../server/files/errors.ts';
import type { FilePort } from '../../server/files/file-port.ts';
import { LocalFiles, type LocalFilesOptions } from '../../server/files/local-files.ts';
import type { Output } from '../output.ts';

/** A path that hangs is tried again after each pause; an answer ends the wait at once. */
const patience: LocalFilesOptions = { processes: 1, deadlineMs: 3_000, longestPauseMs: 5_000 };

/**
 * Waits until the files and folders that a user names respond, before this process reads them itself: on a share that
 * hangs it could neither report the problem nor be ended. A path that does not respond is reported once.
 */
export async function waitForPaths(
  paths: readonly string[],
  output: Output,
  options: LocalFilesOptions = patience,
): Promise<void> {
  const files = new LocalFiles(options);
  try {
    await Promise.all(Array.from(new Set(paths), (path) => waitForPath(path, files.of(path), output)));
  } finally {
    files.close();
  }
}

async function waitForPath(path: string, port: FilePort, output: Output): Promise<void> {
  let isReported = false;
  while (!(await answers(path, port))) {
    if (isReported) continue;
    isReported = true;
    output.err(
      `${path} does not answer: the share or disk that holds it hangs. Waiting for it; Ctrl+C ends the command.`,
    );
  }
}

/** Whether a path responds, even with an error, which is reported where the path is read. */
async function answers(path: string, port: FilePort): Promise<boolean> {
  try {
    await touch(path, port);
    return true;
  } catch (error) {
    return fileErrorCode(error) !== 'ESILENT';
  }
}

/** Reads the first byte, because names and sizes on a share can come from a cache. */
async function touch(path: string, port: FilePort): Promise<void> {
  const [first] = await port.list(path, { matching: /^/, stat: [] }).catch((error: unknown) => {
    if (fileErrorCode(error) === 'ENOTDIR') return [];
    throw error;
  });
  await port.read(first === undefined ? path : join(path, first.name), [{ offset: 0, length: 1 }]);
}
