import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Has this process wait for others: it gets what they leave of the cores. Threads that it starts later are like the one
 * that starts them.
 */
export function giveWay(): void {
  const { PRIORITY_LOW: priority } = constants.priority;
  for (const id of threadIds()) {
    try {
      // Who is further back already may not come forward.
      if (getPriority(id) < priority) setPriority(id, priority);
    } catch {
      // It has ended, or the system does not allow it: then it is as it was.
    }
  }
}

/** On Linux a priority is a thread's own, and V8 has started some by now; elsewhere it is that of the process. */
function threadIds(): number[] {
  if (process.platform !== 'linux') return [process.pid];
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [process.pid];
  }
}
