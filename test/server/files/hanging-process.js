/**
 * The process of `LocalFiles`, in which a path hangs, as in a share that does not answer, for as long as a file of its
 * name and `.hangs` lies beside it.
 */
import { existsSync } from 'node:fs';

const nobody = new Int32Array(new SharedArrayBuffer(4));
await import('../../../dist/server/files/file-process-main.js');
const [listener] = process.listeners('message');
process.removeAllListeners('message');
process.on('message', (message) => {
  while (existsSync(`${message.args[0]}.hangs`)) Atomics.wait(nobody, 0, 0, 20);
  listener?.(message);
});
