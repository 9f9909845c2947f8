import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Starts a thread. @param module its compiled module: `new URL('../x.js', import.meta.url)` */
export function startThread(module: URL, workerData: unknown): Worker {
  if (!isSource) return new Worker(module, { workerData });
  // When run from the sources, as in tests, the thread needs a loader; `--import tsx` has no effect in a thread.
  const entry = sourceOf(module);
  const load = `import('tsx/esm/api').then(({ tsImport }) => tsImport('${entry}', '${entry}'))`;
  return new Worker(load, { eval: true, workerData });
}

/**
 * Starts a process with a channel for messages. It gets no environment variables, which may hold secrets, and has
 * neither input nor output.
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

// A loader may append a query to the URL.
const isSource = new URL(import.meta.url).pathname.endsWith('.ts');

const sourceOf = (module: URL): string => module.href.replace(/\.js$/, '.ts');
