import { expect, test } from 'vitest';
import { install, troubles } from './installation.ts';

test('an installation with everything', async () => {
  const one = await install();
  expect(troubles(await one.diagnose())).toEqual([]);
});
