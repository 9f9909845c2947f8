import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** With a lower one, its transactions would take long on a busy machine, and others would wait for their locks. */
export const lowPriority = 5;

/**
 * Lets other processes of this machine go first. On Linux each thread has a priority of its own, and a third of the CPU time
 * of an import is that of V8's threads, which collect garbage.
 */
export function lowerPriority(): void {
  for (const thread of threadsOfProcess()) {
    try {
      setPriority(thread, Math.max(getPriority(thread), lowPriority));
    } catch {
      // The thread has ended, or the system does not allow it: then the work goes on as it is.
    }
  }
}

function threadsOfProcess(): number[] {
  const itself = 0;
  if (process.platform !== 'linux') return [itself];
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [itself];
  }
}
