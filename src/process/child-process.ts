import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Starts a process with a channel for messages. By default it gets no environment variables, which may be secrets, and
 * has neither input nor output.
 * @param module of `entryModule`
 */
export function startProcess(module: URL, options: ForkOptions = {}): ChildProcess {
  return fork(fileURLToPath(module), {
    execArgv: [],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    ...options,
  });
}

/**
 * Calls back when a process of `startProcess` has ended and everything it sent was read. Windows may report the end
 * first.
 */
export function onEnd(child: ChildProcess, end: (cause: string) => void): void {
  child.once('exit', (code, signal) => {
    const cause = signal ?? String(code);
    if (child.connected) child.once('disconnect', () => end(cause));
    else end(cause);
  });
}
