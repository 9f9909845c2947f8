import type { LoggedPlayers } from '../embeds/logged-players.ts';
import type { Community } from './ports/community.ts';

/** Who is on servers according to their logs, by server id. Names are optional, so errors leave them out. */
export async function readLoggedPlayers(
  community: Community,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, LoggedPlayers>> {
  return await community.loggedPlayers(serverIds).catch(() => new Map());
}
