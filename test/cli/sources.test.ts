import { expect, it } from 'vitest';
import { logLines } from '../../src/cli/sources.ts';

const overview = {
  files: 2,
  lines: 1,
  unreadLines: 1,
  unreadKinds: [],
  lastEventAt: null,
  lagBytes: 0,
  zoneProblem: null,
  newest: { path: '/logs/a.ADM', position: 1, size: 1 },
};

it('says that all of the logs is read, and one of a thing as one', () => {
  expect(logLines(overview, false)).toEqual([
    'a.ADM: 1 of 1 byte read; 2 files, all read',
    'last event unknown; 1 line, 1 unread',
  ]);
  expect(logLines({ ...overview, files: 1, lagBytes: 1 }, true)[0]).toBe(
    'a.ADM: 1 of 1 byte read; 1 file seen, 1 byte still to be read',
  );
});
