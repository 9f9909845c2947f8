import { expect, it } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { pollPeriodMs } from '../../../src/server/live/poll-period.ts';

it.each([
  [{}, 15],
  [{ pollSeconds: 30 }, 30],
  [{ poll: '*/20 * * * * *' }, 20],
])('takes %j of a config, of this version or an earlier one, for %i seconds', (live, seconds) => {
  const parsed = configSchema.parse({ live, projects: [{ slug: 'p', name: 'P' }] });
  expect(pollPeriodMs(parsed.live)).toBe(seconds * 1_000);
});
