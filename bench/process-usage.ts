import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** CPU time of a process's threads, from the scheduler: exact, where /proc/…/stat counts ticks of 10 ms. Linux only. */
export async function cpuSeconds(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')),
  );
  return times.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]), 0) / 1e9;
}

/** The same with the processes that it has started, those that have ended as well. */
export async function familyCpuSeconds(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  const children = lists.join(' ').split(' ').filter(Boolean);
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  // cutime and cstime, in hundredths of a second.
  const ended = (Number(fields[13]) + Number(fields[14])) / 100;
  const times = await Promise.all([pid, ...children.map(Number)].map(cpuSeconds));
  return times.reduce((sum, time) => sum + time, ended);
}

export function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
