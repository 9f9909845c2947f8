/** The process of `LocalFiles` on a busy machine: loading it takes a while. */
import { setTimeout as sleep } from 'node:timers/promises';

await sleep(500);
await import('../../../dist/server/files/file-process-main.js');
