import { expect, test } from 'vitest';
import { faults } from './faults.ts';
import { install, token, troubles } from './installation.ts';

test('has at least thirty faults to find', () => {
  expect(faults.length).toBeGreaterThanOrEqual(30);
});

test.each(faults)('finds $name, says what to do, and nothing else', async ({ plant, expected }) => {
  const one = await install();
  await plant(one);
  const findings = await one.diagnose();
  const found = troubles(findings);
  expect(found).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  expect(found.filter((text) => text.endsWith('→ undefined'))).toEqual([]);
  expect(JSON.stringify(findings)).not.toContain(token);
});
