import { expect, it, onTestFinished } from 'vitest';
import { createDownloads } from '../../src/process/downloads.ts';
import { serveFiles } from '../harness/serve-files.ts';

async function open(files: Record<string, Buffer>) {
  const other = await serveFiles(files);
  onTestFinished(other.close);
  const failures: string[] = [];
  const get = createDownloads({
    mostBytes: 100,
    loadWithinMs: 5_000,
    keepMs: 86_400_000,
    retryMs: 1,
    waitMs: 5_000,
    read: (file) => ({ text: file.toString() }),
    onFailure: (error) => failures.push((error as Error).message),
  });
  return { asked: other.asked, failures, load: () => get(`${other.url}/file`) };
}

it('loads a file once for all who ask', async () => {
  const { asked, load } = await open({ '/file': Buffer.from('text') });
  expect(await Promise.all([load(), load()])).toEqual([{ text: 'text' }, { text: 'text' }]);
  expect(await load()).toEqual({ text: 'text' });
  expect(asked).toEqual(['/file']);
});

it('tries again after a failure, which it reports once until a file could be loaded', async () => {
  const files: Record<string, Buffer> = {};
  const { asked, failures, load } = await open(files);
  const untilAsked = (times: number) =>
    expect
      .poll(async () => {
        expect(await load()).toBeNull();
        return asked.length;
      })
      .toBeGreaterThanOrEqual(times);
  await untilAsked(3);
  expect(failures).toEqual(['the answer is 404']);
  files['/file'] = Buffer.alloc(101);
  await untilAsked(asked.length + 2);
  files['/file'] = Buffer.from('text');
  await expect.poll(load).toEqual({ text: 'text' });
  expect(failures).toHaveLength(1);
});
