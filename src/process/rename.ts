import { rename as renameNow } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Windows refuses to rename a file, or to replace one, while another program has it open, such as a virus scanner that checks
 * what was just written. Usually only for a moment.
 */
const openElsewhere = new Set(['EPERM', 'EACCES', 'EBUSY']);
const retryAfterMs = [50, 150, 400];

/** Renames a file, replacing the one that has the name, if any. */
export async function renameOver(from: string, to: string, rename = renameNow): Promise<void> {
  for (const waitMs of retryAfterMs) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (!openElsewhere.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await sleep(waitMs);
    }
  }
  await rename(from, to);
}
