import { REST } from '@discordjs/rest';

/** A request that would have to wait longer is refused with a `RateLimitError`: whoever sent it has other things to do. */
const longestWaitMs = 5_000;

/** Discord's REST API for one bot. `apiUrl` ends in `/api`; by default it is Discord's own. */
export function createRest(options: { token: string; apiUrl?: string | undefined }): REST {
  const { token, apiUrl } = options;
  const rest = new REST({
    version: '10',
    ...(apiUrl !== undefined && { api: apiUrl }),
    rejectOnRateLimit: ({ retryAfter, timeToReset }) => Math.max(retryAfter, timeToReset) > longestWaitMs,
  }).setToken(token);
  // At the first 401 it would forget the token for good. Discord means that only when it closes the gateway, too.
  rest.setToken = () => rest;
  return rest;
}
