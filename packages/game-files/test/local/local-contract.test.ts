import { onTestFinished } from 'vitest';
import { directFiles } from '../../src/local/direct-files.ts';
import { LocalFiles } from '../../src/local/local-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { describeFiles } from '../files-contract.ts';

describeFiles('of this machine', async () => {
  const files = new LocalFiles();
  onTestFinished(() => files.close());
  const root = temporaryFolder();
  return { source: files.of('logs'), root, folder: root };
});

describeFiles('reached in place', async () => {
  const root = temporaryFolder();
  return { source: directFiles, root, folder: root };
});
