import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/config/error.ts';
import { runChecks, type Check } from '../../../src/cli/checks/run-checks.ts';

const good: Check = {
  doctor: 'program',
  subject: 'good',
  run: async () => [{ key: 'k', tried: 't', status: 'good', found: 'fine' }],
};

test('a check that hangs, and ones that throw, stop no other and are reported', async () => {
  const progress: string[] = [];
  const findings = await runChecks(
    [
      { doctor: 'discord', subject: 'Discord', timeoutMs: 20, run: () => new Promise(() => {}) },
      { doctor: 'data', subject: 'the disk', run: () => Promise.reject(new Error('boom')) },
      {
        doctor: 'config',
        subject: 'the config',
        run: () => Promise.reject(new ConfigError('expected a port')),
      },
      good,
    ],
    { timeoutMs: 60_000, onEnd: (done, total) => void progress.push(`${done}/${total}`) },
  );
  expect(findings.map(({ group, tried, status, found }) => [group, tried, status, found])).toEqual([
    ['program', 't', 'good', 'fine'],
    ['config', 'the config', 'wrong', 'expected a port'],
    ['data', 'the disk', 'warning', 'could not be checked: boom'],
    ['discord', 'Discord', 'warning', 'could not be checked: no result within 0.02 s'],
  ]);
  expect(findings.filter(({ status, next }) => status !== 'good' && next === undefined)).toEqual([]);
  expect(progress).toEqual(['0/4', '1/4', '2/4', '3/4', '4/4']);
});
