import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const churn = fileURLToPath(new URL('./memory-churn.ts', import.meta.url));

async function largestHeapMiB(...args: string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', churn, ...args]);
  return Number(stdout);
}

it('lets garbage take far less memory in a process with a bot than Node would', async () => {
  const [plain, withBot] = await Promise.all([largestHeapMiB(), largestHeapMiB('bot')]);
  expect(withBot).toBeGreaterThan(0);
  expect(withBot).toBeLessThan(0.7 * plain);
});
