import { styleText } from 'node:util';
import { expect, test } from 'vitest';
import { writeLine } from '../../src/cli/output.ts';

/** What arrives at a terminal, or at a program. */
function written(isTTY: boolean, text: string, isPainted?: boolean): string {
  let all = '';
  writeLine({ isTTY, write: (part: string | Uint8Array) => ((all += String(part)), true) }, text, isPainted);
  return all;
}

const hostile = 'a\u001b[2Jb\u001b]0;title\u0007c\u009b8md\u202ee\rf\u001b[31m';

test('a terminal obeys nothing that a name or a path brings', () => {
  expect(written(true, `✓ ${hostile}\n\tnext`)).toBe('✓ a [2Jb ]0;title c 8md e f [31m\n\tnext\n');
});

test('a terminal gets colours of our own', () => {
  const green = styleText('green', '✓', { validateStream: false });
  expect(written(true, green, true)).toBe(`${green}\n`);
});

test('a program gets every character', () => {
  expect(written(false, hostile)).toBe(`${hostile}\n`);
});
