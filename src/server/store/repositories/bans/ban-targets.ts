import type { BanTarget } from '../../../../api/resources.ts';
import type { Reader } from '../../engine/database.ts';

/** One of a player's bans in force in a list. */
export interface BanInForce {
  ban_id: number;
  source: string;
  state: string;
}

/** The state of a player's bans on a server. */
type StateOnServer = (serverId: string, bans: readonly BanInForce[]) => BanTarget['state'];

/**
 * Reads what determines a ban's state on each server: ENFORCED where a file of that server contains the player,
 * FAILED where Outpost could not write the player into one, PENDING elsewhere.
 * @param fileServers `ban_list.file_servers`
 */
export async function readTargetStates(db: Reader, fileServers: string): Promise<StateOnServer> {
  const servers = JSON.parse(fileServers) as Record<string, readonly string[] | undefined>;
  const isOn = (source: string, serverId: string) => servers[source]?.includes(serverId) ?? true;
  const failures = await db
    .selectFrom('ban_write')
    .select(['ban_id', 'source'])
    .where('error', 'is not', null)
    .execute();
  return (serverId, bans) => {
    if (bans.some(({ source, state }) => state === 'ENFORCED' && isOn(source, serverId))) return 'ENFORCED';
    const failed = failures.some(
      ({ ban_id, source }) => isOn(source, serverId) && bans.some((ban) => ban.ban_id === ban_id),
    );
    return failed ? 'FAILED' : 'PENDING';
  };
}
