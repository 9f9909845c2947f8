import { expect, test } from 'vitest';
import { texts } from '../../../src/cli/checks/texts.ts';

test('every text about a problem says what to do next', () => {
  const withoutNext = Object.entries<readonly string[]>(texts).filter(
    ([, [found = '', next]]) => !found.startsWith('✓') && next === undefined,
  );
  expect(withoutNext).toEqual([]);
});
