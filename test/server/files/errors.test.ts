import { expect, test } from 'vitest';
import { FileError } from 'game-files';
import { fileProblem } from '../../../src/server/files/errors.ts';

test('a file that a program on Windows has for itself is not called by an error code', () => {
  const busy = new FileError({ code: 'EBUSY', message: 'EBUSY: resource busy or locked, open …' });
  expect(fileProblem(busy)).toBe('is open in another program, which lets no other read it');
});
