import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/**
 * Has this thread, or from the main thread the whole process, wait for others of the machine. Whoever holds something on
 * which others wait, such as the lock of the store, takes `BELOW_NORMAL`: a tenth of a busy core. `LOW` is what others
 * leave. Only on Linux, where a priority is a thread's own and a process that is far behind still gets on.
 */
export function giveWay(priority: 'BELOW_NORMAL' | 'LOW'): void {
  if (process.platform !== 'linux') return;
  const wanted = constants.priority[`PRIORITY_${priority}`];
  for (const thread of isMainThread ? threadsOfProcess() : [0]) {
    try {
      // Who is further behind already stays there.
      if (getPriority(thread) < wanted) setPriority(thread, wanted);
    } catch {
      // It has ended, or the system does not allow it: then it is as it was.
    }
  }
}

/** V8 has some of its own. */
function threadsOfProcess(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [0];
  }
}
