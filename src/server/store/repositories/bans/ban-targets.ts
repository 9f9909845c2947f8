import type { BanTarget } from '../../../../api/resources.ts';

/** One of a player's bans in force in a list. */
export interface BanInForce {
  source: string;
  state: string;
}

/**
 * The state of a player's bans on a server: ENFORCED where a file of that server contains the player, PENDING
 * elsewhere. FAILED is the contract's; Outpost applies no ban itself, so nothing can fail.
 * @param fileServers `ban_list.file_servers`
 */
export function targetStates(
  fileServers: string,
): (serverId: string, bans: readonly BanInForce[]) => BanTarget['state'] {
  const servers = JSON.parse(fileServers) as Record<string, readonly string[] | undefined>;
  return (serverId, bans) => {
    const isEnforced = bans.some(
      ({ source, state }) => state === 'ENFORCED' && (servers[source]?.includes(serverId) ?? true),
    );
    return isEnforced ? 'ENFORCED' : 'PENDING';
  };
}
