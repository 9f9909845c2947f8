import { expect, it } from 'vitest';
import { fuzz } from '../fuzz/fuzz.ts';

it('answers much generated nonsense with no 5xx and no error in the log, and as usual afterwards', async () => {
  const { requests, statuses } = await fuzz({ count: 10_000, seed: 20_260_302 });
  expect(requests).toBe(10_000);
  // The nonsense reaches the operations too, not only the door.
  for (const status of ['200', '400', '401', '403', '404', '405'])
    expect(statuses[status]).toBeGreaterThan(50);
});
