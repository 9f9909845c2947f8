import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The pids of the processes that a process has started; none where it is gone. Linux only: elsewhere none. */
export function childrenOf(pid: number): number[] {
  const threads = `/proc/${pid}/task`;
  return (existsSync(threads) ? readdirSync(threads) : [])
    .flatMap((thread) => startedBy(`${threads}/${thread}/children`).split(' '))
    .filter((id) => id !== '')
    .map(Number);
}

function startedBy(list: string): string {
  try {
    return readFileSync(list, 'utf8');
  } catch (error) {
    // The thread has ended meanwhile.
    if (!existsSync(list)) return '';
    throw error;
  }
}
