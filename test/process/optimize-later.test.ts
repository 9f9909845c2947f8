import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';

/** After how many calls V8 optimizes a function. */
function callsUntilOptimized(before: string): number {
  const source = readFileSync(new URL('../../src/process/optimize-later.ts', import.meta.url), 'utf8');
  const { code } = transformSync(source, { loader: 'ts' });
  const script = `
    ${code}
    ${before}
    const optimized = 16;
    const add = (sum, n) => sum + n * 3;
    let calls = 0;
    for (let sum = 0; (%GetOptimizationStatus(add) & optimized) === 0; calls += 1) sum = add(sum, calls % 7);
    console.log(calls);`;
  const flags = [
    '--allow-natives-syntax',
    '--no-concurrent-recompilation',
    '--no-use-osr',
    '--input-type=module',
  ];
  return Number(execFileSync(process.execPath, [...flags, '--eval', script], { encoding: 'utf8' }));
}

it('has V8 optimize only what runs much longer than usual', () => {
  expect(callsUntilOptimized('optimizeLater();')).toBeGreaterThan(4 * callsUntilOptimized(''));
});
