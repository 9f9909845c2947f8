import { expect, it } from 'vitest';
import { fuzz } from '../fuzz/fuzz.ts';

// In short; fuzz.slow.test.ts sends more.
it('answers generated nonsense with no 5xx and no error in the log, and as usual afterwards', async () => {
  const { requests, statuses } = await fuzz({ count: 500, seed: 20_260_301 });
  expect(requests).toBe(500);
  // The nonsense reaches the operations too, not only the door.
  for (const status of ['200', '400', '401', '403', '404', '405'])
    expect(statuses[status]).toBeGreaterThan(2);
});
