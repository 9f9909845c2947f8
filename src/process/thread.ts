import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Starts a thread. @param module its compiled module: `new URL('../x.js', import.meta.url)` */
export function startThread(module: URL, workerData: unknown): Worker {
  return new Worker(compiled(module), { workerData, resourceLimits });
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
  return fork(fileURLToPath(compiled(module)), {
    execArgv: [],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
}

/**
 * When run from the sources, as in tests, threads and processes run what was built of them: to load TypeScript would take
 * each of them longer than what it has to do.
 */
function compiled(module: URL): URL {
  const source = new URL('../', import.meta.url).href;
  // A loader may append a query to the URL.
  if (!new URL(import.meta.url).pathname.endsWith('.ts') || !module.href.startsWith(source)) return module;
  return new URL(`../../dist/${module.href.slice(source.length)}`, import.meta.url);
}
