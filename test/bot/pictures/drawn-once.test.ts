import { pino } from 'pino';
import { expect, it } from 'vitest';
import { drawnOnce } from '../../../src/bot/pictures/drawn-once.ts';

it('says once why pictures are disabled without the package, and does without them', async () => {
  const load = () => Promise.reject(new Error("Cannot find package '@napi-rs/canvas'"));
  const logged: string[] = [];
  const once = drawnOnce(load, 'charts', pino({}, { write: (line: string) => void logged.push(line) }));
  const draw = async () => ({ name: 'a.png', data: Buffer.of(), alt: '' });
  expect(await once('one', draw)).toBeNull();
  expect(await once('two', draw)).toBeNull();
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('@napi-rs/canvas could not be loaded');
});

it('draws one again that could not be drawn, and logs that', async () => {
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const once = drawnOnce(async () => ({}), 'charts', log);
  const picture = { name: 'a.png', data: Buffer.of(), alt: '' };
  expect(await once('one', () => Promise.reject(new Error('no memory')))).toBeNull();
  expect(await once('one', async () => picture)).toBe(picture);
  expect(logged).toEqual([expect.stringContaining('no memory')]);
});
