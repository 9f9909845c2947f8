import { RequestMethod, type REST } from '@discordjs/rest';
import { Routes } from 'discord.js';

/** How much this machine's clock is ahead of Discord's, milliseconds, give or take a second; null: unknown. */
export async function clockAhead(rest: REST, now: () => number): Promise<number | null> {
  try {
    const request = { fullRoute: Routes.gateway(), method: RequestMethod.Get, auth: false };
    const { headers } = await rest.queueRequest(request);
    const at = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(at) ? null : now() - at;
  } catch {
    // Other parts of the bot report that Discord cannot be reached.
    return null;
  }
}
