import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { checkFileSystem } from '../../../../src/cli/checks/data/data-checks.ts';

const windows = { free: 0, type: 0 };

test('a data folder on a share of Windows, or on a drive mapped to one, is a warning', () => {
  expect(checkFileSystem(tmpdir(), windows, () => '\\\\nas\\outpost')).toEqual([
    expect.objectContaining({
      status: 'warning',
      found: expect.stringContaining('network file system, SMB'),
    }),
  ]);
  expect(checkFileSystem(tmpdir(), windows, () => 'C:\\OutpostData')).toEqual([]);
});
