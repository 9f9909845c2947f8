import { ApplicationCommandOptionType, type APIButtonComponent } from 'discord.js';
import { ServiceError } from '../api/client-types.ts';
import { parseIdentifier, type Identifier } from '../api/identifiers.ts';
import type { Banlist } from '../api/resources.ts';
import { banField, type BanCheckView } from '../embeds/ban-check.ts';
import { goneCardEmbed, unknownPlayerEmbed } from '../embeds/failure.ts';
import type { PlayerKills } from '../embeds/player-kills.ts';
import { playerEmbed, type PlayerView } from '../embeds/player.ts';
import type { TextKey } from '../locales/language.ts';
import { checkBans, checkBansOfName } from './ban-check.ts';
import { choicesFor } from './choices.ts';
import {
  textOption,
  type Command,
  type CommandComponents,
  type CommandContext,
  type Reply,
} from './command.ts';
import { identifierOption, unknownNameOrIdentifier } from './identifier-input.ts';
import { playerCandidates } from './known-players.ts';
import { link, unlink } from './link.ts';
import { linkedPlayer } from './linked-player.ts';
import { forHomeGuilds, mayBan, readableLists } from './permission.ts';
import { cardRef, drawPlayerCard } from './player-card.ts';
import { findPlayer } from './player-input.ts';
import type { MemberLink, PlayerLinks } from './ports/player-links.ts';
import type { StoredPlayer } from './ports/ports.ts';
import { failureReply, privateReply, readBranding, reply } from './replies.ts';
import { digestRef } from './short-ref.ts';
import { buttonRow, controlsOf, optionsOf, viewComponents, type View } from './view.ts';
import { askWhichPlayer } from './which-player.ts';

/**
 * `member`: the member whose player it is, in place of `identifier`. `show`: `details` adds identifiers, other names and bans; `card` leaves nothing but the card. Older buttons have none.
 */
const view: View = {
  command: 'lookup',
  options: { identifier: 'text', show: 'text', member: 'text' },
  added: 2,
};

/** Active bans, in private answers to members who may ban. Null: not for this asker; `failed`: could not be read. */
async function readBans(
  context: CommandContext,
  check: (lists: readonly Banlist[]) => Promise<BanCheckView>,
): Promise<BanCheckView | 'failed' | null> {
  const { client, asker, visibility } = context;
  if (visibility === 'public' || !mayBan(asker)) return null;
  try {
    const lists = readableLists(asker, (await client.listBanlists()).data.banlists);
    return lists.length === 0 ? null : await check(lists);
  } catch {
    return 'failed';
  }
}

/** The player's kills and deaths in home guilds; they are optional in an answer. */
async function readKills(
  { ports, asker }: CommandContext,
  who: Identifier | { ref: string },
): Promise<PlayerKills | null> {
  if (!asker.isHome || ports.kills === undefined) return null;
  return await ports.kills.ofPlayer(who).catch(() => null);
}

async function unknownPlayer(context: CommandContext, identifier: Identifier): Promise<Reply> {
  const { language } = context;
  const bans = await readBans(context, (lists) => checkBans(context, identifier, lists));
  const embed = unknownPlayerEmbed(language, identifier);
  return privateReply(bans === null ? embed : { ...embed, fields: [banField(language, bans)] });
}

/** A player whom an answer is about. */
interface Found extends Pick<
  PlayerView,
  'player' | 'recognised' | 'isOwn' | 'link' | 'receivedAt' | 'stale'
> {
  who: Identifier | { ref: string };
  /** What names the player in buttons. */
  ref: string;
  bans: (lists: readonly Banlist[]) => Promise<BanCheckView>;
  mayLink: boolean;
  /** Whether the member was named, and not the player. */
  byMember?: boolean;
}

async function showPlayer(context: CommandContext, found: Found): Promise<Reply> {
  const { client, language, asker, options, visibility } = context;
  const { who, ref, player, isOwn } = found;
  const show = textOption(options, 'show');
  const isShared = options['shared'] === true;
  const withDetails = show === 'details' && !isShared;
  const [branding, bans, kills] = await Promise.all([
    readBranding(client),
    withDetails ? readBans(context, found.bans) : null,
    readKills(context, who),
  ]);
  const favouriteWeapon = kills?.favouriteWeapon?.name ?? null;
  const card = await drawPlayerCard(context, { who, player, branding, favouriteWeapon });
  const controls = controlsOf(view, context, {
    ...(found.byMember ? { member: found.link?.memberId ?? '' } : { identifier: ref }),
    ...(show !== null && { show }),
  });
  const hasCard = card.files !== undefined;
  if (show === 'card' && hasCard) return { embeds: [], ...card, components: buttonRow(...controls.share()) };
  const embed = playerEmbed(language, branding, {
    ...found,
    bans,
    kills,
    hasCard,
    withIdentity: withDetails && asker.isHome,
  });
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
    ...((asker.isHome || seesBans) && !isShared ? [withDetails ? fold : unfold] : []),
    ...(found.mayLink && !isShared ? [linking] : []),
    ...controls.share(),
  );
  return { ...reply(embed), ...card, components };
}

/** Why a member has no card, with what the member can do about it here. */
function whyNoCard(links: PlayerLinks, own: MemberLink | null): TextKey {
  if (links.proofs?.isOffered() === true) return own === null ? 'link.meNone' : 'link.meClaimed';
  return links.areClaimsEnough() ? 'link.meNoneClaim' : 'link.meNever';
}

/** The player of a member. */
export async function showLinked(context: CommandContext, memberId: string): Promise<Reply> {
  const { ports, asker, language } = context;
  const isOwn = memberId === asker.userId;
  const refuse = (text: TextKey): Reply => failureReply(language, 'notFoundTitle', language.t(text));
  const allowed = forHomeGuilds(context, ports.links, 'link.unavailable');
  if ('refusal' in allowed) return allowed.refusal;
  const link = await allowed.port.get(memberId);
  const isShown = link !== null && (link.isProven || allowed.port.areClaimsEnough());
  if (!isShown) return refuse(isOwn ? whyNoCard(allowed.port, link) : 'link.memberNone');
  if (link.isHidden && isOwn) return refuse('link.meHidden');
  const player = link.ref === null || link.isHidden ? null : ((await ports.players?.get(link.ref)) ?? null);
  if (player === null || link.ref === null) return refuse('link.memberNone');
  const identifier = link.identifier === null ? null : parseIdentifier(link.identifier);
  return await showPlayer(context, {
    who: { ref: link.ref },
    ref: link.ref,
    player,
    isOwn,
    link: { memberId, isProven: link.isProven },
    byMember: true,
    bans: async (lists) =>
      identifier === null
        ? await checkBansOfName(context, player.name, lists)
        : await checkBans(context, identifier, lists),
    mayLink: false,
    receivedAt: context.now,
    stale: false,
  });
}

/** A player without an identifier, as the store has it. */
async function showStored(context: CommandContext, { ref, player }: StoredPlayer): Promise<Reply> {
  return await showPlayer(context, {
    who: { ref },
    // Only home guilds get the store's ref of a player.
    ref: context.asker.isHome ? ref : (cardRef(context, player) ?? ref),
    player,
    bans: async (lists) => await checkBansOfName(context, player.name, lists),
    mayLink: false,
    receivedAt: context.now,
    stale: false,
  });
}

async function run(context: CommandContext): Promise<Reply> {
  const { client, options, language, asker, ports } = context;
  const member = textOption(options, 'member');
  if (member !== null) return await showLinked(context, member);
  const text = textOption(options, 'identifier');
  if (text === null) {
    const mayNameMember = asker.isHome && ports.links !== undefined;
    const key = mayNameMember ? 'failure.nobodyNamed' : 'failure.notHomeIdentifier';
    return failureReply(language, 'inputTitle', language.t(key));
  }
  const found = await findPlayer(context, text);
  if ('missing' in found) {
    const isCard = textOption(options, 'show') === 'card';
    return isCard
      ? privateReply(goneCardEmbed(language))
      : unknownNameOrIdentifier(language, text, 'failure.unknownNameNext');
  }
  if ('several' in found) {
    return await askWhichPlayer(context, controlsOf(view, context, {}), text, found.several);
  }
  if ('stored' in found) return await showStored(context, found.stored);
  const { identifier, typed } = found;
  if (!asker.isHome && typed && identifier.kind !== 'steamId64') {
    return failureReply(language, 'deniedTitle', language.t('failure.notHomeIdentifier'));
  }
  try {
    const [answer, own] = await Promise.all([
      client.getPlayer({ identifier: identifier.value }),
      linkedPlayer(context),
    ]);
    const { data, receivedAt, stale } = answer;
    return await showPlayer(context, {
      who: identifier,
      // Outside home guilds, members who looked up a name are not shown the identifier, not even in a button.
      ref: asker.isHome || typed ? identifier.value : digestRef(identifier.value),
      player: data.player,
      // A button holds the identifier of who was found by name, too.
      recognised: typed && !context.pressed ? identifier.kind : null,
      isOwn: own?.isSame(data.player) === true,
      link:
        own?.isSame(data.player) === true ? { memberId: asker.userId, isProven: own.link.isProven } : null,
      bans: async (lists) => await checkBans(context, identifier, lists),
      mayLink: ports.links !== undefined && (asker.isHome || typed),
      receivedAt,
      stale,
    });
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'not_found')) throw error;
    return await unknownPlayer(context, identifier);
  }
}

/** The button that shows a player's card, in a message of its own. @param ref see `cardRef` */
export function cardButton(context: CommandContext, ref: string): APIButtonComponent {
  return controlsOf(view, context, { identifier: ref, show: 'card' }).act({ emoji: '👤' }, 'card');
}

const ofView = viewComponents(view, run);

const isAside = (action: string): boolean => ['link', 'unlink', 'card'].includes(action);

const components: CommandComponents = {
  mode: (action) => (isAside(action) ? 'private' : ofView.mode(action)),
  isForAll: (action) => action === 'card',
  press(context) {
    const { action, args, values, ...others } = context;
    const options = optionsOf(view, args, values);
    if (action === 'card' || action === 'share')
      return options === null
        ? null
        : run({ ...others, options: { ...options, shared: action === 'share' }, pressed: true });
    if (!isAside(action)) return ofView.press(context);
    const identifier = options?.['identifier'];
    if (action === 'unlink') return options === null ? null : unlink(context);
    return typeof identifier === 'string' ? link(context, identifier) : null;
  },
};

/** `/lookup identifier|member`: one player. Private, since it shows identifiers and earlier names. */
export const lookupCommand: Command = {
  definition: {
    name: 'lookup',
    options: [
      { ...identifierOption, autocomplete: true },
      { type: ApplicationCommandOptionType.User, name: 'member' },
    ],
  },
  visibility: () => 'private',
  run,
  async autocomplete({ cache, focused, language, asker, ports }) {
    const candidates = playerCandidates({ language, ports }, await cache.players());
    if (asker.isHome) return choicesFor(candidates, focused.value);
    const names = [...new Set(candidates.map(({ name }) => name))];
    return choicesFor(
      names.map((name) => ({ id: name, name })),
      focused.value,
    );
  },
  components,
};
