import { expect, it } from 'vitest';
import { logLines } from '../../src/cli/sources.ts';

const overview = {
  files: 2,
  lines: 1,
  unreadLines: 1,
  unreadKinds: [{ kind: '[Mod]', lines: 1 }],
  lastEventAt: null,
  zoneProblem: null,
  newest: { path: '/logs/a.ADM', position: 1 },
};

it('says how much of the logs was read, and one of a thing as one', () => {
  expect(logLines(overview)).toEqual([
    '2 files; a.ADM: 1 byte read',
    'last event unknown; 1 line, 1 unread: 1 × [Mod]',
  ]);
  expect(logLines({ ...overview, newest: null })[0]).toBe('no file read yet');
});
