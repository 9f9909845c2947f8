import { parseIdentifier } from '../api/identifiers.ts';
import type { Player } from '../api/resources.ts';
import type { CommandContext } from './command.ts';
import { identitiesOf, type Identities } from './player-identity.ts';

/** The player that a member is linked to. */
export interface LinkedPlayer {
  identifier: string;
  identities: Identities;
  /** Null: the service does not know the player, or could not answer. */
  player: Player | null;
}

/** The asker's linked player; null if there is none. Never rejects, since it is optional in an answer. */
export async function linkedPlayer({
  client,
  ports,
  asker,
}: Pick<CommandContext, 'client' | 'ports' | 'asker'>): Promise<LinkedPlayer | null> {
  const linked = await ports.links?.get(asker.userId).catch(() => null);
  const identifier = linked ? parseIdentifier(linked) : null;
  if (identifier === null) return null;
  const player = await client
    .getPlayer({ identifier: identifier.value })
    .then(({ data }) => data.player)
    .catch(() => null);
  const identities = identitiesOf({ [identifier.kind]: identifier.value }, player ?? {});
  return { identifier: identifier.value, identities, player };
}
