import { closeSync, fstatSync, readSync } from 'node:fs';
import { type ByteSource, readBytes } from './blocks.ts';
import { fileProblem, SourceError } from '../errors.ts';
import { openRegular } from './direct-files.ts';
import type { FilePort } from './file-port.ts';
import { PortFile } from './port-file.ts';

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
    descriptor = openRegular(file);
  } catch (error) {
    throw new SourceError(file, fileProblem(error), { cause: error });
  }
  return {
    bytes: fstatSync(descriptor).size,
    async read(buffer, offset, length, position) {
      await giveTurn();
      return { bytesRead: readSync(descriptor, buffer, offset, length, position) };
    },
    close: () => closeSync(descriptor),
  };
}

/** How whole files are opened: by default directly, else through a port. */
export type OpenSource = (file: string) => FileSource | Promise<FileSource>;

export function throughPort(port: FilePort): OpenSource {
  return async (file) => {
    try {
      return await PortFile.open(port, file, [{ offset: 0, length: readBytes }]);
    } catch (error) {
      throw new SourceError(file, fileProblem(error), { cause: error });
    }
  };
}

let lastTurn = performance.now();

async function giveTurn(): Promise<void> {
  if (performance.now() - lastTurn < turnMs) return;
  await new Promise((resolve) => setImmediate(resolve));
  lastTurn = performance.now();
}
