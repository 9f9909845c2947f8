import { onTestFinished } from 'vitest';
import { directPort } from '../../src/local/direct-files.ts';
import { LocalFiles } from '../../src/local/local-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { describePort } from '../port-contract.ts';

describePort('of this machine', async () => {
  const files = new LocalFiles();
  onTestFinished(() => files.close());
  const root = temporaryFolder();
  return { port: files.of('logs'), root, folder: root };
});

describePort('reached in place', async () => {
  const root = temporaryFolder();
  return { port: directPort, root, folder: root };
});
