import { existsSync, readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** With a lower one, its transactions would take long on a busy machine, and others would wait for their locks. */
export const lowPriority = 5;

/**
 * Lets other processes of this machine go first. On Linux each thread has a priority of its own, and a third of the CPU time
 * of an import is that of V8's threads, which collect garbage.
 */
export function lowerPriority(): void {
  const tasks = '/proc/self/task';
  const threads = existsSync(tasks) ? readdirSync(tasks).map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      setPriority(thread, Math.max(getPriority(thread), lowPriority));
    } catch {
      // The thread has ended, or the system does not allow it: then the work goes on as it is.
    }
  }
}
