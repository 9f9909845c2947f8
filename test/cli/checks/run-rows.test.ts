import { expect, test } from 'vitest';
import { about } from '../../../src/cli/checks/finding.ts';
import { type Row, runRows } from '../../../src/cli/checks/run-rows.ts';
import { ConfigError } from '../../../src/config/error.ts';

const row = (group: Row['group'], subject: string, run: Row['run']): Row => ({
  group,
  subject,
  offline: true,
  run,
});
const good = row('program', 'good', async () => [about('k', 't').good('free')]);

test('a check that hangs, and ones that throw, stop no other and are reported', async () => {
  const progress: string[] = [];
  const findings = await runRows(
    [
      row('discord', 'Discord', () => new Promise(() => {})),
      row('data', 'the disk', () => Promise.reject(new Error('boom'))),
      row('config', 'the config', () =>
        Promise.reject(new ConfigError('expected a port. Write a number there.')),
      ),
      good,
    ],
    200,
    (done, total) => void progress.push(`${done}/${total}`),
  );
  expect(findings.map(({ group, tried, status, found }) => [group, tried, status, found])).toEqual([
    ['program', 't', 'good', 'free'],
    ['config', 'the config', 'wrong', 'expected a port'],
    ['data', 'the disk', 'warning', 'could not be checked: boom'],
    ['discord', 'Discord', 'warning', 'could not be checked: no result within 0.2 s'],
  ]);
  expect(findings.filter(({ status, next }) => status !== 'good' && next === undefined)).toEqual([]);
  expect(findings[1]?.next).toBe('Write a number there');
  expect(progress).toEqual(['0/4', '1/4', '2/4', '3/4', '4/4']);
});
