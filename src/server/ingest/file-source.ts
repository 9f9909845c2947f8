import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from './blocks.ts';
import { fileProblem, SourceError } from './errors.ts';

/** So long the event loop may wait for the next turn; timers, signals and whoever else works here come in between. */
const turnMs = 20;

/** A file that is read where it is asked for. */
export interface FileSource extends ByteSource {
  bytes: number;
  close(): void;
}

/**
 * Opens a file to be read in one go. A backlog has ten thousand small ones, and a way to the thread pool and back for
 * each step would take longer than the reading; so this stands still for it, and gives the event loop its turns.
 * @throws SourceError
 */
export function openSource(file: string): FileSource {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    throw new SourceError(file, fileProblem(error), { cause: error });
  }
  const stats = fstatSync(descriptor);
  if (stats.isDirectory()) {
    closeSync(descriptor);
    throw new SourceError(file, fileProblem(Object.assign(new Error(), { code: 'EISDIR' })));
  }
  return {
    bytes: stats.size,
    async read(buffer, offset, length, position) {
      await giveTurn();
      return { bytesRead: readSync(descriptor, buffer, offset, length, position) };
    },
    close: () => closeSync(descriptor),
  };
}

let lastTurn = performance.now();

async function giveTurn(): Promise<void> {
  if (performance.now() - lastTurn < turnMs) return;
  await new Promise((resolve) => setImmediate(resolve));
  lastTurn = performance.now();
}
