import type { LoggedPlayers } from '../embeds/logged-players.ts';
import type { Ports } from './ports/ports.ts';

/** Who is on servers according to their logs, by server id. Names are optional, so errors leave them out. */
export async function readLoggedPlayers(
  ports: Ports,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, LoggedPlayers>> {
  return (await ports.loggedPlayers?.(serverIds).catch(() => null)) ?? new Map();
}
