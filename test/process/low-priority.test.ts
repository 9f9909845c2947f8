import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { expect, test } from 'vitest';
import { lowerPriority, lowPriority } from '../../src/process/low-priority.ts';

const threads = (): number[] => readdirSync('/proc/self/task').map(Number);

test.skipIf(process.platform !== 'linux')('every thread gives way, and none comes forward', () => {
  setPriority(15);
  const [lowest, ...others] = [process.pid, ...threads().filter((thread) => thread !== process.pid)];
  const before = others.map((thread) => getPriority(thread));
  lowerPriority();
  expect(getPriority(lowest)).toBe(15);
  expect(others.length).toBeGreaterThan(0);
  expect(others.map((thread) => getPriority(thread))).toEqual(
    before.map((priority) => Math.max(priority, lowPriority)),
  );
});
