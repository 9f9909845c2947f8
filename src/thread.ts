import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread.
 * @param module what it runs, by the name that it has once compiled: `new URL('./x.js', import.meta.url)`
 */
export function startThread(
  module: URL,
  workerData: unknown,
  options: Pick<WorkerOptions, 'resourceLimits'> = {},
): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  if (!isSource) return new Worker(module, { ...options, workerData });
  // Run from the sources, as tests do, the thread needs a loader for them; `--import tsx` does nothing in a thread.
  const entry = module.href.replace(/\.js$/, '.ts');
  const load = `import('tsx/esm/api').then(({ tsImport }) => tsImport('${entry}', '${entry}'))`;
  return new Worker(load, { ...options, eval: true, workerData });
}
