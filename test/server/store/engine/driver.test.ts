import { expect, it } from 'vitest';
import { runsNewestDriver, SQLite } from '../../../../src/server/store/engine/driver.ts';

it.each([
  ['9', 'Node.js 20.20 and 22.13', false],
  ['10', 'Node.js 22.14', true],
  ['11', 'a later one', true],
])('with Node-API %s, which is that of %s, takes the newest driver: %s', (nodeApi, _name, expected) => {
  expect(runsNewestDriver(Number(nodeApi))).toBe(expected);
});

it('opens a database with the driver of this Node.js', () => {
  const database = new SQLite(':memory:');
  expect(database.prepare('SELECT 1 AS one').get()).toEqual({ one: 1 });
  database.close();
});
