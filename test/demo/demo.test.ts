import { expect, onTestFinished, test, vi } from 'vitest';
import { startDemo } from '../../src/demo/demo.ts';

test('the demo serves this machine alone, also in a container, where the service listens everywhere', async () => {
  vi.stubEnv('OUTPOST_HTTP_HOST', '0.0.0.0');
  const { facts, close } = await startDemo(() => undefined);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await close();
  });
  const { pageUrl, publicUrl, serviceUrl } = facts;
  expect([pageUrl, publicUrl, serviceUrl].map((url) => new URL(url).hostname)).toEqual(
    Array(3).fill('127.0.0.1'),
  );
});
