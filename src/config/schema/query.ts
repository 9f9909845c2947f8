import { z } from 'zod';
import { secret } from './secret.ts';
import { port, text } from './values.ts';

/** What the queries of some games need besides the address. The keys are those of GameDig. */
export const query = z.strictObject({
  username: text(255).optional(),
  password: secret.optional(),
  login: text(255).optional(),
  token: secret.optional(),
  apiKey: secret.optional(),
  accountId: text(255).optional(),
  serverId: text(255).optional(),
  guildId: z
    .string({ error: 'expected the id in quotes' })
    .regex(/^\d{15,21}$/, { error: 'expected an id of 15 to 21 digits, in quotes' })
    .optional(),
  telnetPort: port.optional(),
  telnetPassword: secret.optional(),
  teamspeakQueryPort: port.optional(),
  rejectUnauthorized: z.boolean().optional().describe('true: the certificate of the server has to be valid'),
});
