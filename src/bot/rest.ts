import { REST } from '@discordjs/rest';

/** Discord's REST API for one bot. `apiUrl` ends in `/api`; by default it is Discord's own. */
export function createRest(options: { token: string; apiUrl?: string | undefined }): REST {
  const { token, apiUrl } = options;
  return new REST({ version: '10', ...(apiUrl !== undefined && { api: apiUrl }) }).setToken(token);
}
