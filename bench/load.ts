import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load, LoadResult } from './process-load.ts';

/** Callers in a process of their own; see process-load.ts. */
export function startCallers() {
  const child = fork(fileURLToPath(new URL('process-load.ts', import.meta.url)));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the callers have ended')));
  ended.catch(() => undefined);
  return {
    pid: child.pid as number,
    async run(load: Load): Promise<LoadResult> {
      child.send(load);
      const [result] = (await Promise.race([once(child, 'message'), ended])) as [LoadResult];
      return result;
    },
    close: () => void child.kill(),
  };
}
