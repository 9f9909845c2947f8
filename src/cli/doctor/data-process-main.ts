import { findHolder } from '../../server/store/engine/folder-lock.ts';
import {
  checkFileSystem,
  checkFolder,
  checkModes,
  checkSmallStore,
  checkSpace,
  checkStoreFile,
  spaceOf,
} from './data-checks.ts';
import type { DataMessage } from './data-process.ts';

const send = (message: DataMessage): void => void process.send?.(message);

async function check(folder: string): Promise<void> {
  send({ step: 'the data folder' });
  const usable = checkFolder(folder);
  const findings = [usable];
  const isUsable = usable.status === 'good';
  send({ holder: isUsable ? findHolder(folder) : null });
  if (isUsable) findings.push(...checkModes(folder));
  send({ step: 'the disk of the data folder', findings });
  const space = await spaceOf(folder);
  send({ step: 'the store', findings: checkFileSystem(folder, space) });
  if (isUsable) {
    const { finding, size } = checkStoreFile(folder);
    send({ findings: [checkSpace(folder, space, size), finding, ...checkSmallStore(folder)] });
  }
  send({ isDone: true });
}

process.once('message', (folder: string) => {
  check(folder)
    .catch((error: unknown) => send({ error: error instanceof Error ? error.message : String(error) }))
    .finally(() => process.disconnect());
});
send({ isReady: true });
