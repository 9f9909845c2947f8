import { parseIdentifier } from '../api/identifiers.ts';
import type { Player, PlayerReference } from '../api/resources.ts';
import type { OwnRank } from '../embeds/top.ts';
import type { CommandContext } from './command.ts';
import { identitiesOf, isSamePlayer } from './compare-players.ts';
import type { MemberLink } from './interfaces/player-links.ts';

export interface LinkedPlayer {
  link: MemberLink;
  /** Null: the service does not know the player, or could not answer. */
  player: Player | null;
  /** Whether another answer is about the same player. */
  isSame(other: PlayerReference): boolean;
}

/** The asker's linked player; null if there is none. Never rejects, since it is optional in an answer. */
export async function linkedPlayer({
  client,
  community,
  asker,
}: Pick<CommandContext, 'client' | 'community' | 'asker'>): Promise<LinkedPlayer | null> {
  const link = await community.links.get(asker.userId).catch(() => null);
  if (link === null || link.isHidden) return null;
  const { identifier, ref } = link;
  const asked =
    identifier === null
      ? ref === null
        ? null
        : community.players.get(ref)
      : client.getPlayer({ identifier }).then(({ data }) => data.player);
  const player = (await Promise.resolve(asked).catch(() => null)) ?? null;
  const identities = identitiesOf(identifierFields(identifier), player ?? {});
  return { link, player, isSame: isSamePlayer(identities, player?.name ?? link.name) };
}

/**
 * The rank of that player on a board.
 * @param rows `ref`: of a board of the store's
 * @param figure the player's own; null or left out: unknown
 */
export function ownRankAmong(
  rows: readonly { player: PlayerReference; ref?: string; rank: number; value: number }[],
  { link, player, isSame }: LinkedPlayer,
  figure: number | null = null,
): OwnRank {
  const { identifier, isProven, ref } = link;
  const row = rows.find((each) => {
    if (each.ref !== undefined) return each.ref === ref;
    // Another player may have the same name, so without an identifier the figure has to agree, too.
    return isSame(each.player) && (identifier !== null || each.value === figure);
  });
  const name = row?.player.name ?? player?.name ?? link.name;
  return { identifier, isProven, name, rank: row?.rank ?? null, value: row?.value ?? figure };
}

function identifierFields(text: string | null) {
  const identifier = text === null ? null : parseIdentifier(text);
  return identifier === null ? {} : { [identifier.kind]: identifier.value };
}
