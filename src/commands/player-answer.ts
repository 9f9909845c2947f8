import type { Client } from '../api/client-types.ts';
import { identifierOf } from '../api/identifiers.ts';
import type { MetricCode } from '../api/metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Banlist, LeaderboardRow, Player, PlayerReference } from '../api/resources.ts';
import { branded, coloured } from '../embeds/branding.ts';
import type { BanCheckView } from '../embeds/ban-check.ts';
import { cardContent, type Standing } from '../embeds/card/content.ts';
import { playerEmbed, type PlayerView } from '../embeds/player.ts';
import { plain } from '../embeds/text.ts';
import { checkPlayer } from './ban-check.ts';
import type { Candidate } from './choices.ts';
import { textOption, type CommandContext, type Reply, type Row } from './command.ts';
import { digestRef, writeComponentId } from './component-id.ts';
import { mayBan } from './permission.ts';
import { optional, readBranding } from './reads.ts';
import { identifiersIn, isSamePlayer } from './compare-players.ts';
import type { PlayerKey } from './interfaces/community.ts';
import { reply } from './replies.ts';
import { buttonRow, menuOptions, menuRow } from './rows.ts';
import { argsOf, chosen, controlsOf, type Screen } from './screen.ts';

/**
 * The answer about one player. `member`: the member whose player it is, in place of `identifier`. `show`: `details` adds
 * identifiers, other names and bans; `card` leaves nothing but the card.
 */
export const playerAnswer: Screen = {
  command: 'lookup',
  options: { identifier: 'text', show: 'text', member: 'text' },
};

interface ShownPlayer extends Pick<
  PlayerView,
  'player' | 'recognised' | 'isOwn' | 'link' | 'receivedAt' | 'stale'
> {
  who: PlayerKey;
  /** Default: no. */
  mayLink?: boolean;
  /** Whether the member was named, and not the player. Default: no. */
  byMember?: boolean;
}

/** Active bans, in private answers to members who may ban. Null: not for this asker; `failed`: could not be read. */
export async function readBans(
  context: CommandContext,
  check: (lists: readonly Banlist[]) => Promise<BanCheckView>,
): Promise<BanCheckView | 'failed' | null> {
  const { client, asker, visibility } = context;
  if (visibility === 'public' || !mayBan(asker)) return null;
  try {
    const { banlists } = (await client.listBanlists()).data;
    return banlists.length === 0 ? null : await check(banlists);
  } catch {
    return 'failed';
  }
}

export async function showPlayer(context: CommandContext, found: ShownPlayer): Promise<Reply> {
  const { client, language, asker, options, visibility, community, pictures } = context;
  const { who, player, isOwn, mayLink = false } = found;
  const show = textOption(options, 'show');
  const isShared = options['shared'] === true;
  const withDetails = show === 'details' && !isShared;
  const [branding, bans, details] = await Promise.all([
    readBranding(client),
    withDetails ? readBans(context, (lists) => checkPlayer(context, player, lists)) : null,
    optional(community.players.details(who), null),
  ]);
  const { ranks, activity } = details ?? (await publicStanding(client, player));
  const kills = details?.kills ?? null;
  const card = cardContent(language, { player, branding, kills, ranks, activity });
  const { accentColor = null, logoUrl = null } = branding ?? {};
  const picture = await optional(pictures.card(card, { accentColor, logoUrl }), null);
  const drawn: Pick<Reply, 'files' | 'players'> =
    picture === null ? {} : { files: [picture], ...(details && { players: [details.playerId] }) };
  const controls = controlsOf(playerAnswer, context, {
    ...(found.byMember
      ? { member: found.link?.memberId ?? '' }
      : { identifier: 'ref' in who ? who.ref : who.value }),
    ...(show !== null && { show }),
  });
  if (show === 'card' && picture !== null) {
    return { embeds: [], ...drawn, components: buttonRow(controls.share()) };
  }
  const content = playerEmbed(language, {
    ...found,
    card,
    isDrawn: picture !== null,
    bans,
    kills,
    withIdentity: withDetails,
    gameId: details?.gameId ?? null,
  });
  // A card names the community itself.
  const embed = picture === null ? branded(branding, content) : coloured(branding, content);
  const seesBans = visibility === 'private' && mayBan(asker);
  const unfold = controls.button(
    { label: seesBans ? 'button.idsAndBans' : 'button.ids', emoji: '🔎' },
    { show: 'details' },
  );
  const fold = controls.button({ label: 'button.less', emoji: '🔎' }, { show: undefined });
  const linking = isOwn
    ? controls.act({ label: 'button.notMe' }, 'unlink')
    : controls.act({ label: 'button.thisIsMe', emoji: '📍' }, 'link');
  const components = buttonRow(
    !isShared && (withDetails ? fold : unfold),
    !isShared && mayLink && linking,
    controls.share(),
  );
  return { ...reply(embed), ...drawn, components };
}

/**
 * A menu of the players of a board's page, which shows the card of the chosen one in a message of its own. A page has at most 25
 * rows, as many as a menu has options.
 */
export function cardMenu(
  context: CommandContext,
  rows: readonly Pick<LeaderboardRow, 'rank' | 'player'>[],
): Row[] {
  const { language, ownerId } = context;
  // Two players without an identifier may have one name, and Discord takes no value twice.
  const players = new Map<string, Candidate>();
  for (const { rank, player } of rows) {
    const id = cardRef(player);
    if (id === null || players.has(id)) continue;
    const name = plain(player.name ?? '', 90) || language.t('player.nameless');
    players.set(id, { id, name: `${rank}. ${name}` });
  }
  if (players.size === 0) return [];
  const args = argsOf(playerAnswer, { identifier: chosen, show: 'card' });
  return menuRow({
    custom_id: writeComponentId({ command: playerAnswer.command, action: 'card', ownerId, args }),
    options: menuOptions([...players.values()]),
    placeholder: language.t('placeholder.card'),
  });
}

/** What a card shows of a player whom no store knows: ranks on the service's leaderboards. */
async function publicStanding(client: Client, player: Player): Promise<Standing> {
  const boards = await client.listLeaderboards({ limit: leaderboardMaxRows }).catch(() => null);
  const compared = { identifiers: identifiersIn(player), name: player.name };
  const ranks: Partial<Record<MetricCode, number>> = {};
  for (const { metric, rows } of boards?.data.leaderboards ?? []) {
    const row = rows.find((row) => isSamePlayer(compared, row.player));
    if (row !== undefined) ranks[metric] = row.rank;
  }
  return { ranks, activity: null };
}

/** The value of a player in a menu. Null: a player without identifier and name cannot be looked up. */
function cardRef(player: PlayerReference): string | null {
  const identifier = identifierOf(player);
  if (identifier !== null) return identifier.value;
  const { name } = player;
  return name === null ? null : digestRef(`name:${name}`);
}
