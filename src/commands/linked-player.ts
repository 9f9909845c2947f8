import { parseIdentifier } from '../api/identifiers.ts';
import type { Player, PlayerReference } from '../api/resources.ts';
import type { OwnRank } from '../embeds/top.ts';
import type { CommandContext } from './command.ts';
import { identifiersIn, isSamePlayer } from './compare-players.ts';
import type { MemberLink } from './interfaces/player-links.ts';
import { optional } from './reads.ts';

export interface LinkedPlayer {
  link: MemberLink;
  /** Null: the service does not know the player, or could not answer. */
  player: Player | null;
  /** Whether another answer is about the same player. */
  isSame(other: PlayerReference): boolean;
}

/** The asker's linked player; null if there is none. Never rejects, since it is optional in an answer. */
export async function linkedPlayer(context: CommandContext): Promise<LinkedPlayer | null> {
  const { client, community, asker } = context;
  const link = await optional(community.links.get(asker.userId), null);
  if (link === null || link.isHidden) return null;
  const { identifier, ref } = link;
  const readPlayer = async (): Promise<Player | null> => {
    if (identifier !== null) return (await client.getPlayer({ identifier })).data.player;
    return ref === null ? null : await community.players.get(ref);
  };
  const player = await optional(readPlayer(), null);
  const identifiers = identifiersIn(identifierFields(identifier), player ?? {});
  const linked = { identifiers, name: player?.name ?? link.name };
  return { link, player, isSame: (other) => isSamePlayer(linked, other) };
}

/**
 * The rank of the asker's linked player on a board.
 * @param rows with `ref` on boards that the store counts
 * @param figure what the player has of the metric; null or left out: unknown
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

/** As the field of a player reference that has it. */
function identifierFields(text: string | null): Partial<PlayerReference> {
  const identifier = text === null ? null : parseIdentifier(text);
  return identifier === null ? {} : { [identifier.kind]: identifier.value };
}
