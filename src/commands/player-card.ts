import { identifierOf } from '../api/identifiers.ts';
import type { MetricCode } from '../api/metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Player, PlayerReference } from '../api/resources.ts';
import type { Branding } from '../embeds/branding.ts';
import { cardContent, type Standing } from '../embeds/card/content.ts';
import type { CommandContext, Reply } from './command.ts';
import { identitiesOf, isPlayer } from './player-identity.ts';
import type { PlayerDetails } from './ports/community.ts';
import { digestRef } from './short-ref.ts';

/**
 * What an answer with a player's card has; nothing where none can be drawn. Never rejects, since answers do without.
 * @param details of the store; null: the card has the ranks of the contract's leaderboards
 */
export async function drawPlayerCard(
  context: Pick<CommandContext, 'client' | 'language' | 'pictures'>,
  player: Player,
  branding: Branding | null,
  details: PlayerDetails | null,
): Promise<Pick<Reply, 'files' | 'players'>> {
  const { pictures, language } = context;
  try {
    const { ranks, activity } = details ?? (await publicStanding(context, player));
    const favouriteWeapon = details?.kills?.favouriteWeapon?.name ?? null;
    const content = cardContent(language, { player, branding, favouriteWeapon, ranks, activity });
    const { accentColor = null, logoUrl = null } = branding ?? {};
    const picture = await pictures.card(content, { accentColor, logoUrl });
    if (picture === null) return {};
    return { files: [picture], ...(details !== null && { players: [details.playerId] }) };
  } catch {
    return {};
  }
}

/** By the leaderboards of the contract. */
async function publicStanding({ client }: Pick<CommandContext, 'client'>, player: Player): Promise<Standing> {
  const boards = await client.listLeaderboards({ limit: leaderboardMaxRows }).catch(() => null);
  const isThis = isPlayer(identitiesOf(player), player.name);
  const ranks: Partial<Record<MetricCode, number>> = {};
  for (const { metric, rows } of boards?.data.leaderboards ?? []) {
    const row = rows.find((row) => isThis(row.player));
    if (row !== undefined) ranks[metric] = row.rank;
  }
  return { ranks, activity: null };
}

/** What names a player in a menu; null: nothing does. */
export function cardRef(player: PlayerReference): string | null {
  const identifier = identifierOf(player);
  if (identifier !== null) return identifier.value;
  const { name } = player;
  return name === null ? null : digestRef(`name:${name}`);
}
