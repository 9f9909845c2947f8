import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cases } from '../conformance/cases/index.ts';
import { closeConnections } from '../conformance/exchange.ts';
import { runCase, type Worlds } from '../conformance/runner.ts';
import { startClockWorld } from '../conformance/world/clock.ts';
import { type ProcessOptions, startProcessWorld } from '../conformance/world/process.ts';
import { outpost } from '../harness/command-line.ts';

/** In this process, which is another one than the service's. */
const commandsHere: ProcessOptions['outpost'] = ({ environment }) => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return async (...args) => {
    const { code, out, err } = await outpost(...args, '--json');
    if (code !== 0) throw new Error(`outpost ${args.join(' ')} ended with ${code}: ${out}${err}`);
    return JSON.parse(out) as Record<string, unknown>;
  };
};

let worlds: Worlds;
beforeAll(async () => {
  const own = await startProcessWorld({ outpost: commandsHere });
  worlds = { any: own, own, clock: await startClockWorld() };
});
afterAll(async () => {
  closeConnections();
  await worlds.own?.close();
  await worlds.clock?.close();
  vi.unstubAllEnvs();
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
