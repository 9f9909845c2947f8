import { z } from 'zod';
import { cron } from './values.ts';

export const backup = z.strictObject({
  cron: cron
    .default('30 4 * * *')
    .describe('when to back up the data folder, by the clock of this machine; the default is 4:30 at night'),
  keep: z
    .int({ error: 'expected a whole number of backups' })
    .min(1, { error: 'expected at least 1 backup' })
    .max(10_000, { error: 'expected at most 10000 backups' })
    .default(7)
    .describe('how many of these backups to keep; older ones are deleted'),
});
