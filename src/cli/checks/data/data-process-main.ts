import { diskSpace } from '../../../server/store/engine/disk-space.ts';
import { StoreError } from '../../../server/store/engine/error.ts';
import { findHolder, type Holder } from '../../../server/store/engine/folder-lock.ts';
import type { Finding } from '../finding.ts';
import { checkAccess, checkFileSystem, checkSpace, checkStoreFile } from './data-checks.ts';

/** What it checks. */
export interface DataPlace {
  folder: string;
  /** Whether the store is in it, or on PostgreSQL. */
  hasStore: boolean;
}

/** What the process that checks the data folder reports, bit by bit. */
export interface DataMessage {
  /** What it checks from now on. */
  step?: string;
  findings?: Finding[];
  holder?: Holder | 'unknown' | null;
  error?: string;
  isDone?: boolean;
}

const send = (message: DataMessage): void => void process.send?.(message);

async function check({ folder, hasStore }: DataPlace): Promise<void> {
  send({ step: 'the data folder' });
  const { findings, isUsable } = checkAccess(folder);
  send({ holder: isUsable ? holderOf(folder) : null });
  send({ step: 'the disk of the data folder', findings });
  const space = await diskSpace(folder);
  send({ step: 'the store', findings: checkFileSystem(folder, space) });
  if (isUsable && !hasStore) send({ findings: [checkSpace(folder, space, 0)] });
  if (isUsable && hasStore) {
    const { finding, size } = checkStoreFile(folder);
    send({ findings: [checkSpace(folder, space, size), finding] });
  }
}

/** Null also where this user may not ask: the check of the owners says so. */
function holderOf(folder: string): Holder | 'unknown' | null {
  try {
    return findHolder(folder);
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

process.once('message', (place: DataPlace) => {
  const end = (last: DataMessage): void => void process.send?.(last, () => process.disconnect());
  check(place).then(
    () => end({ isDone: true }),
    (error: unknown) => end({ error: error instanceof Error ? error.message : String(error) }),
  );
});
