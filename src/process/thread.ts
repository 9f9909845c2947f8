import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread.
 * @param module what it runs, by the name that it has once compiled: `new URL('../x.js', import.meta.url)`
 */
export function startThread(
  module: URL,
  workerData: unknown,
  options: Pick<WorkerOptions, 'resourceLimits'> = {},
): Worker {
  if (!isSource) return new Worker(module, { ...options, workerData });
  // Run from the sources, as tests do, the thread needs a loader for them; `--import tsx` does nothing in a thread.
  const entry = sourceOf(module);
  const load = `import('tsx/esm/api').then(({ tsImport }) => tsImport('${entry}', '${entry}'))`;
  return new Worker(load, { ...options, eval: true, workerData });
}

/**
 * Starts a process with a channel for messages. It gets nothing of the environment, which may hold secrets, and has no
 * input or output.
 * @param module see `startThread`
 */
export function startProcess(module: URL): ChildProcess {
  const loader = (): string => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return fork(fileURLToPath(isSource ? sourceOf(module) : module), {
    execArgv: isSource ? ['--import', loader()] : [],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
}

// A loader may add a query.
const isSource = new URL(import.meta.url).pathname.endsWith('.ts');

const sourceOf = (module: URL): string => module.href.replace(/\.js$/, '.ts');
