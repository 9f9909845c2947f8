import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';

it('keeps the space for new objects as it is until it may grow', () => {
  const source = readFileSync(new URL('../../src/process/small-heap.ts', import.meta.url), 'utf8');
  const { code } = transformSync(source, { loader: 'ts' });
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    ${code}
    const kept = [];
    const sizeAfterWork = () => {
      for (let n = 0; n < 1_000_000; n += 1) kept.push({ n });
      return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
    };
    allowNewSpaceToGrow(false);
    sizeAfterWork();
    const held = sizeAfterWork();
    allowNewSpaceToGrow(true);
    console.log(JSON.stringify({ held, grown: sizeAfterWork() }));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  const { held, grown } = JSON.parse(output) as Record<'held' | 'grown', number>;
  // It begins with 2 MB.
  expect(held).toBeLessThan(4_000_000);
  expect(grown).toBeGreaterThan(8_000_000);
});
