import { expect, it } from 'vitest';
import { fuzz } from '../fuzz/fuzz.ts';

// In short; `npm run fuzz` sends more.
it('answers generated nonsense with no 5xx and no error in the log, and as usual afterwards', async () => {
  const { statuses } = await fuzz(1_000, 20_260_301);
  // The nonsense reaches the operations too, not only the door.
  for (const status of ['200', '400', '401', '403', '404', '405'])
    expect(statuses[status]).toBeGreaterThan(2);
});
