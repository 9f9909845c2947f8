import { pino } from 'pino';
import { expect, it } from 'vitest';
import { drawnOnce } from '../../../src/bot/channels/pictures/drawn-once.ts';

const missing = (name: string) => async () => (await import(name)) as unknown;

it.each([
  ['a file of the program', missing(`${import.meta.dirname}/gone.js`), /the program was replaced .* Restart/],
  ['the package', missing('@napi-rs/canvas-gone'), /@napi-rs\/canvas has no build/],
])('says once why pictures are disabled without %s, and does without them', async (_, load, reason) => {
  const logged: string[] = [];
  const once = drawnOnce(load, 'charts', pino({}, { write: (line: string) => void logged.push(line) }));
  const draw = async () => ({ name: 'a.png', data: Buffer.of(), alt: '' });
  expect(await once('one', draw)).toBeNull();
  expect(await once('two', draw)).toBeNull();
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatch(reason);
});
