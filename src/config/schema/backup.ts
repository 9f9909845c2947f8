import { z } from 'zod';
import { cron, wholeNumber } from './values.ts';

export const backup = z.strictObject({
  cron: cron
    .default('30 4 * * *')
    .describe('when to back up the data folder, by the clock of this machine; the default is 4:30 at night'),
  keep: wholeNumber('backups', 1, 10_000)
    .default(7)
    .describe('how many of these backups to keep; older ones are deleted'),
});
