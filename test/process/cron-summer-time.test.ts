import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('leaves out what clocks skip, runs nothing twice, and finds the last moment of what they skip', () => {
  const morning = '2026-03-29T10:00:00Z';
  const asked = {
    runs: [
      ['2026-03-29T00:29:50Z', '30 2 * * *'],
      ['2026-03-29T00:29:50Z', '0 2,3 * * *'],
      ['2026-03-29T00:29:50Z', '0 * * * *'],
      ['2026-03-28T00:29:50Z', '30 2 * * *'],
    ],
    last: [
      [morning, '30 2 * * 0'],
      [morning, '30 2 29 3 *'],
    ],
  };
  const script = fileURLToPath(new URL('cron-runs.ts', import.meta.url));
  const printed = execFileSync(process.execPath, ['--import', 'tsx', script, JSON.stringify(asked)], {
    env: { ...process.env, TZ: 'Europe/Berlin' },
    encoding: 'utf8',
  });
  expect(JSON.parse(printed)).toEqual({
    runs: [[], ['01:00'], ['01:00', '02:00', '03:00'], ['01:30']],
    last: ['2026-03-29T01:30:00.000Z', '2026-03-29T01:30:00.000Z'],
  });
});
