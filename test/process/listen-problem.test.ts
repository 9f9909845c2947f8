import { expect, test } from 'vitest';
import { listenProblem } from '../../src/process/listen-problem.ts';

test('a port that may not be used is one of the system, or on Windows a reserved one', () => {
  const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  expect(listenProblem(refused, 'linux')).toContain('ports below 1024');
  expect(listenProblem(refused, 'win32')).toContain('excludedportrange');
});
