import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Starts a thread. @param module of `entryModule` */
export function startThread(module: URL, workerData: unknown): Worker {
  return new Worker(module, { workerData, resourceLimits });
}

/**
 * V8 lets the space for new objects grow to 48 MB. With 12 an import of logs takes no longer, and following 1,000 servers a
 * fifth more CPU.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 32 };

/**
 * Starts a process with a channel for messages. It gets no environment variables, which may hold secrets, and has
 * neither input nor output.
 * @param module see `startThread`
 */
export function startProcess(module: URL): ChildProcess {
  return fork(fileURLToPath(module), {
    execArgv: [],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
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
