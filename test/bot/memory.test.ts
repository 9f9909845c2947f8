import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { builtProgram } from '../harness/built-program.ts';

const churn = builtProgram(new URL('./memory-churn.ts', import.meta.url));

async function largestHeapMiB(...args: string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [churn, ...args]);
  return Number(stdout);
}

it('lets garbage take far less memory in a process with a bot than Node would', async () => {
  const [plain, withBot] = await Promise.all([largestHeapMiB(), largestHeapMiB('bot')]);
  expect(withBot).toBeGreaterThan(0);
  expect(withBot).toBeLessThan(0.7 * plain);
});
