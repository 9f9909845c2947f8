/** The process of `LocalFiles` on a busy machine: loading it takes a while. */
import { setTimeout as sleep } from 'node:timers/promises';

await sleep(500);
await import('../../../src/server/files/file-process-main.ts');
