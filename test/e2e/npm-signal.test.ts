import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether something listens at the address. */
const answers = async (url: string): Promise<boolean> =>
  await fetch(url).then(
    () => true,
    () => false,
  );

it.skipIf(process.platform === 'win32')(
  'a signal to npm stops the demo that it runs, and frees its ports',
  { timeout: 180_000 },
  async () => {
    const npm = spawn('npm', ['run', '--silent', 'demo', '--', '--json'], { cwd: root, detached: true });
    const pid = npm.pid ?? 0;
    onTestFinished(() => {
      try {
        // All that npm has started is in its process group.
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    });
    let output = '';
    npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const polled = { timeout: 120_000, interval: 200 };
    await expect.poll(() => /"serviceUrl": *"([^"]+)"/.exec(output)?.[1], polled).toBeDefined();
    const urls = Array.from(output.matchAll(/"(?:pageUrl|serviceUrl)": *"([^"]+)"/g), ([, url = '']) => url);
    expect(await Promise.all(urls.map(answers))).toEqual([true, true]);
    npm.kill('SIGTERM');
    await expect.poll(async () => await Promise.all(urls.map(answers)), polled).toEqual([false, false]);
  },
);
