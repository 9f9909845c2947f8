import { z } from 'zod';
import { secret } from './secret.ts';

/** What a URL of PostgreSQL has to be. The URL itself is never quoted: it contains a password. */
export const storeUrlExpectation =
  'expected a URL such as postgres://USER:PASSWORD@HOST:5432/DATABASE; in user and password write # as %23, ' +
  '/ as %2F, ? as %3F, @ as %40 and % as %25';

/** Whether it names a database. `isStoreUrl` of the store only tells a URL from a file. */
export function isCompleteStoreUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text) && URL.canParse(text) && new URL(text).pathname.length > 1;
}

export const store = z.strictObject({
  url: secret
    .optional()
    .describe('a PostgreSQL database in place of the file in the data folder: postgres://…'),
  listenUrl: secret
    .optional()
    .describe('the same database without PgBouncer between: processes say there at once what has changed'),
});
