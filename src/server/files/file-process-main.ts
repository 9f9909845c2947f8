/**
 * The process that accesses files for `LocalFiles`, one request at a time: a file system that hangs blocks only this
 * process. It writes no log, and ends with the process that started it.
 */
import { directPort } from './direct-files.ts';
import type { FileFailure, FileRequests } from './file-port.ts';

export type FileRequest = {
  [Method in keyof FileRequests]: { method: Method; args: Parameters<FileRequests[Method]> };
}[keyof FileRequests];

export type FileAnswer = { result: unknown } | { failure: FileFailure };

async function answer({ method, args }: FileRequest): Promise<FileAnswer> {
  try {
    const call = directPort[method] as (...args: unknown[]) => Promise<unknown>;
    return { result: await call(...args) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { failure: { code, message } };
  }
}

process.once('disconnect', () => process.exit());
process.on('message', (request: FileRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});
process.send?.('ready');
