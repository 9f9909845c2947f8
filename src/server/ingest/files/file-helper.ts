/**
 * The process that reaches files for `LocalFiles`, one request at a time: a file system that hangs holds up this
 * process and no other. It writes no log, and ends with the process that started it.
 */
import { directPort } from './direct-files.ts';
import type { FileFailure, FilePort } from './file-port.ts';

/** A method of `FilePort` and its arguments. */
export type FileRequest = {
  [Method in keyof FilePort]: { method: Method; args: Parameters<FilePort[Method]> };
}[keyof FilePort];

export type FileAnswer = { result: unknown } | { failure: FileFailure };

async function answer({ method, args }: FileRequest): Promise<FileAnswer> {
  try {
    const call = directPort[method] as (...args: unknown[]) => Promise<unknown>;
    return { result: await call(...args) };
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    return { failure: { code, syscall, message } };
  }
}

process.once('disconnect', () => process.exit());
process.on('message', (request: FileRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});
process.send?.('ready');
