import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../conformance/cases/index.ts';
import { closeConnections } from '../conformance/exchange.ts';
import { runCase, type Worlds } from '../conformance/runner.ts';
import { startClockWorld } from '../conformance/world/clock.ts';
import { startProcessWorld } from '../conformance/world/process.ts';

let worlds: Worlds;
beforeAll(async () => {
  const own = await startProcessWorld();
  worlds = { any: own, own, clock: await startClockWorld() };
});
afterAll(async () => {
  closeConnections();
  await worlds.own?.close();
  await worlds.clock?.close();
});

it('has a case for every sentence, each told once', () => {
  const names = cases.map(({ section, name }) => `${section}: ${name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(200);
});

const quick = cases.filter(({ slow }) => slow !== true);
describe.each([...new Set(quick.map(({ section }) => section))])('%s', (section) => {
  it.each(quick.filter((one) => one.section === section))('$name', async (one) => {
    const verdict = await runCase(worlds, one);
    if (verdict.outcome === 'failed') throw verdict.error;
    expect(verdict.outcome).toBe('passed');
  });
});
