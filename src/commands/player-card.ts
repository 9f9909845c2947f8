import type { Identifier } from '../api/identifiers.ts';
import type { MetricCode } from '../api/metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Player, PlayerReference } from '../api/resources.ts';
import type { Branding } from '../embeds/branding.ts';
import { cardContent, type Standing } from '../embeds/card/content.ts';
import type { CommandContext } from './command.ts';
import { keyOf } from './known-players.ts';
import { parseIdentifier } from '../api/identifiers.ts';
import { compareName, comparePlayer, identifierOf, identitiesOf } from './player-identity.ts';
import type { Picture } from './ports.ts';
import { digestRef } from './short-ref.ts';

export interface CardSubject {
  who: Identifier | { ref: string };
  player: Player;
  branding: Branding | null;
  /** Null: unknown, or not for this asker. */
  favouriteWeapon: string | null;
}

/** The picture of a player's card in the asker's language; null: none can be drawn. Never rejects, since answers do without. */
export async function drawPlayerCard(
  context: Pick<CommandContext, 'client' | 'language' | 'asker' | 'ports'>,
  { who, player, branding, favouriteWeapon }: CardSubject,
): Promise<Picture | null> {
  const { cards } = context.ports;
  if (cards === undefined) return null;
  try {
    const standing = await standingOf(context, who, player);
    const content = cardContent(context.language, { player, branding, favouriteWeapon, ...standing });
    const { accentColor = null, logoUrl = null } = branding ?? {};
    return await cards.draw(content, { accentColor, logoUrl });
  } catch {
    return null;
  }
}

async function standingOf(
  { client, asker, ports }: Pick<CommandContext, 'client' | 'asker' | 'ports'>,
  who: CardSubject['who'],
  player: Player,
): Promise<Standing> {
  const standing = asker.isHome ? await ports.standing?.(who).catch(() => null) : null;
  if (standing) return standing;
  const boards = await client.listLeaderboards({ limit: leaderboardMaxRows }).catch(() => null);
  const identities = identitiesOf(player);
  const isPlayer = (other: PlayerReference): boolean =>
    identities.size > 0
      ? comparePlayer(other, identities) === 'same'
      : compareName(other, player.name) === 'same';
  const ranks: Partial<Record<MetricCode, number>> = {};
  for (const { metric, rows } of boards?.data.leaderboards ?? []) {
    const row = rows.find((row) => isPlayer(row.player));
    if (row !== undefined) ranks[metric] = row.rank;
  }
  return { ranks, activity: null };
}

/** What names a player in a button. Outside home guilds no identifier is shown, not even there. */
export function cardRef({ asker }: Pick<CommandContext, 'asker'>, player: PlayerReference): string | null {
  const identifier = parseIdentifier(identifierOf(player) ?? '');
  if (identifier !== null) return asker.isHome ? identifier.value : digestRef(identifier.value);
  const { name } = player;
  return name === null ? null : keyOf({ ref: null, identifier: null, name, playSeconds: null });
}
