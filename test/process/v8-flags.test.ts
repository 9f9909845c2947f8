import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';

const source = readFileSync(new URL('../../src/process/v8-flags.ts', import.meta.url), 'utf8');
const { code } = transformSync(source, { loader: 'ts' });

/** Runs a script that can call what sets the flags. @returns the JSON that it prints */
function run(script: string, ...flags: string[]): unknown {
  const args = [...flags, '--input-type=module', '--eval', `${code}\n${script}`];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

it('keeps the space for new objects as it is until it may grow', () => {
  const { held, grown } = run(`
    import { getHeapSpaceStatistics } from 'node:v8';
    const kept = [];
    const sizeAfterWork = () => {
      for (let n = 0; n < 1_000_000; n += 1) kept.push({ n });
      return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
    };
    allowNewSpaceToGrow(false);
    sizeAfterWork();
    const held = sizeAfterWork();
    allowNewSpaceToGrow(true);
    console.log(JSON.stringify({ held, grown: sizeAfterWork() }));`) as Record<'held' | 'grown', number>;
  // It begins with 2 MB.
  expect(held).toBeLessThan(4_000_000);
  expect(grown).toBeGreaterThan(8_000_000);
});

it('has V8 optimize only what runs much longer than usual', () => {
  const callsUntilOptimized = (before: string): number =>
    run(
      `
        ${before}
        const optimized = 16;
        const add = (sum, n) => sum + n * 3;
        let calls = 0;
        for (let sum = 0; (%GetOptimizationStatus(add) & optimized) === 0; calls += 1) sum = add(sum, calls % 7);
        console.log(calls);`,
      '--allow-natives-syntax',
      '--no-concurrent-recompilation',
      '--no-use-osr',
    ) as number;
  expect(callsUntilOptimized('optimizeLater();')).toBeGreaterThan(4 * callsUntilOptimized(''));
});
