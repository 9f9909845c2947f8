import { constants, setPriority } from 'node:os';

/**
 * Has this thread wait for all others of the machine: it gets what they leave of the cores. Only for one that holds
 * nothing on which others wait, such as a lock of the store. Only on Linux a priority is a thread's own.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, constants.priority.PRIORITY_LOW);
  } catch {
    // The system does not allow it: then it is as it was.
  }
}
