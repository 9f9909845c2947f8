import { expect, it } from 'vitest';
import { runsNewestDriver } from '../../../../src/server/store/engine/driver.ts';

it.each([
  ['9', 'Node.js 20.20 and 22.13', false],
  ['10', 'Node.js 22.14', true],
  ['11', 'a later one', true],
])('with Node-API %s, which is that of %s, takes the newest driver: %s', (nodeApi, _name, expected) => {
  expect(runsNewestDriver(Number(nodeApi))).toBe(expected);
});
