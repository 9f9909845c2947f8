import { identifierOf } from '../api/identifiers.ts';
import type { MetricCode } from '../api/metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Player, PlayerReference } from '../api/resources.ts';
import type { Branding } from '../embeds/branding.ts';
import { cardContent, type CardContent, type Standing } from '../embeds/card/content.ts';
import type { CommandContext } from './command.ts';
import { identitiesOf, isPlayer } from './player-identity.ts';
import type { PlayerDetails } from './interfaces/community.ts';
import { digestRef } from './short-ref.ts';

/** What is on a player's card. @param details of the store; null: the ranks are those of the contract's leaderboards */
export async function readCard(
  context: Pick<CommandContext, 'client' | 'language'>,
  player: Player,
  branding: Branding | null,
  details: PlayerDetails | null,
): Promise<CardContent> {
  const { ranks, activity } = details ?? (await publicStanding(context, player));
  return cardContent(context.language, { player, branding, kills: details?.kills ?? null, ranks, activity });
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
