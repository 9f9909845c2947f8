import { PermissionFlagsBits } from 'discord.js';
import type { Answer } from '../api/client-types.ts';
import { identifierOf, type Identifier } from '../api/identifiers.ts';
import type { Ban, Banlist } from '../api/resources.ts';
import { branded } from '../embeds/branding.ts';
import { banCheckEmbed } from '../embeds/ban-check.ts';
import { banlistEmbed, banlistsEmbed, banlistUnavailableEmbed, banPages } from '../embeds/ban-lists.ts';
import { asTyped } from '../embeds/text.ts';
import { checkIdentifier, checkPlayer, readableBans } from './ban-check.ts';
import { choicesFor, resolve } from './choices.ts';
import {
  numberOption,
  textOption,
  type Command,
  type CommandContext,
  type Reply,
  type Row,
} from './command.ts';
import {
  badIdentifier,
  completeIdentifier,
  identifierOption,
  readIdentifier,
  unknownNameOrIdentifier,
} from './identifier-input.ts';
import { askWhichPlayer } from './known-players.ts';
import { isRefusal, optional, readBranding } from './reads.ts';
import { pageOf } from './pages.ts';
import { onlyOrSeveral } from './player-input.ts';
import { reply } from './replies.ts';
import { buttonRow } from './rows.ts';
import { controlsOf, screenComponents, type Screen, type ScreenControls } from './screen.ts';

const screen: Screen = { command: 'bans', options: { list: 'text', identifier: 'text', page: 'number' } };

const listMenu = (controls: ScreenControls, lists: readonly Banlist[], current?: Banlist): Row[] =>
  controls.menu('list', 'placeholder.list', lists, current?.id);

/** The answer for a list that does not exist, with the available ones. */
async function listUnavailable(
  context: CommandContext,
  asked: string,
  lists: readonly Banlist[],
): Promise<Reply> {
  const branding = await readBranding(context.client);
  const named = context.pressed ? null : asked;
  const embed = banlistUnavailableEmbed(context.language, { asked: named, lists });
  const components = listMenu(controlsOf(screen, context, {}), lists);
  return { ...reply(branded(branding, embed)), components };
}

async function showList(context: CommandContext, list: Banlist, lists: readonly Banlist[]): Promise<Reply> {
  const { client, language, options, community } = context;
  let answer: Answer<{ bans: readonly Ban[] }>;
  try {
    answer = await client.listBans({ banListId: list.id, limit: readableBans });
  } catch (error) {
    if (!isRefusal(error, 'not_found')) throw error;
    const others = lists.filter((other) => other.id !== list.id);
    return await listUnavailable(context, list.name, others);
  }
  const { data, receivedAt, stale } = answer;
  const { items, page, pages } = pageOf(banPages(language, data.bans), 1, numberOption(options, 'page'));
  const embed = banlistEmbed(language, {
    list,
    isUnread: (await optional(community.unreadBanlists(), new Set())).has(list.id),
    entries: items[0] ?? [],
    readable: data.bans.length,
    page,
    pages,
    receivedAt,
    stale,
  });
  const controls = controlsOf(screen, context, { list: list.id, page });
  const components = [
    ...listMenu(controls, lists, list),
    ...buttonRow(controls.pager(page, pages), controls.share()),
  ];
  return { ...reply(branded(await readBranding(client), embed)), components };
}

async function checkByIdentifier(
  context: CommandContext,
  identifier: Identifier,
  lists: readonly Banlist[],
): Promise<Reply> {
  const { client, language } = context;
  const [branding, check] = await Promise.all([
    readBranding(client),
    checkIdentifier(context, identifier, lists),
  ]);
  const controls = controlsOf(screen, context, { identifier: identifier.value, ...listOf(context, lists) });
  const again = controls.button({ label: 'button.checkAgain', emoji: '🔄' }, {});
  const components = buttonRow(again, controls.share());
  return { ...reply(branded(branding, banCheckEmbed(language, check))), components };
}

/**
 * Checks a name, since lists of console servers ban names. A text that no list bans is taken for a name only if the store
 * knows a player of this name: it may be a mistyped identifier, for which "not banned" would be wrong.
 */
async function checkByName(context: CommandContext, text: string, lists: readonly Banlist[]): Promise<Reply> {
  const { client, language, community } = context;
  const named = await community.players.named(asTyped(text));
  const known = named.find(({ player }) => identifierOf(player) === null)?.player.name ?? null;
  const player = { steamId64: null, battleyeGuid: null, cftoolsId: null, name: known ?? text.trim() };
  const check = await checkPlayer(context, player, lists);
  const isBanned = check.checks.some(({ outcome }) => outcome === 'banned');
  if (known !== null || isBanned)
    return reply(branded(await readBranding(client), banCheckEmbed(language, check)));
  const found = onlyOrSeveral(named);
  if ('identifier' in found) return await checkByIdentifier(context, found.identifier, lists);
  if (!('several' in found)) return unknownNameOrIdentifier(language, text);
  const controls = controlsOf(screen, context, listOf(context, lists));
  return askWhichPlayer(context, controls, text, found.several);
}

/** The list that was asked for, as the state of buttons and menus: then it is the only one of `lists`. */
function listOf({ options }: CommandContext, [first]: readonly Banlist[]): { list?: string } {
  return textOption(options, 'list') === null || first === undefined ? {} : { list: first.id };
}

/** The identifier of who was chosen in a menu of namesakes. Null: nobody was, or the player has none. */
async function chosenPlayer({ community, pressed }: CommandContext, ref: string): Promise<Identifier | null> {
  const player = pressed ? await community.players.get(ref) : null;
  return player === null ? null : identifierOf(player);
}

async function run(context: CommandContext): Promise<Reply> {
  const { client, options, language, pressed } = context;
  const listText = textOption(options, 'list');
  const asked = textOption(options, 'identifier');
  const identifier = asked === null ? null : (readIdentifier(asked) ?? (await chosenPlayer(context, asked)));
  if (asked !== null && identifier === null && pressed) return badIdentifier(language, asked);

  const answer = await client.listBanlists();
  const { banlists } = answer.data;
  let chosen: Banlist | null = null;
  if (listText !== null) {
    const match = resolve(banlists, listText, pressed);
    if (!('found' in match)) return await listUnavailable(context, listText, banlists);
    chosen = match.found;
  }
  const lists = chosen === null ? banlists : [chosen];
  if (lists.length > 0) {
    if (identifier !== null) return await checkByIdentifier(context, identifier, lists);
    if (asked !== null) return await checkByName(context, asked, lists);
  }
  const shown = chosen ?? (banlists.length === 1 ? banlists[0] : undefined);
  if (shown !== undefined) return await showList(context, shown, banlists);
  const { receivedAt, stale } = answer;
  const branding = await readBranding(client);
  const controls = controlsOf(screen, context, {});
  const components = [...listMenu(controls, banlists), ...buttonRow(controls.share())];
  const embed = banlistsEmbed(language, { lists: banlists, receivedAt, stale });
  return { ...reply(branded(branding, embed)), components };
}

/** `/bans [list] [identifier]`: all lists, one list, or the bans of one player. For members who may ban. */
export const bansCommand: Command = {
  definition: {
    name: 'bans',
    default_member_permissions: `${PermissionFlagsBits.BanMembers}`,
    options: [
      { type: 'String', name: 'list', autocomplete: true },
      { ...identifierOption, autocomplete: true },
    ],
  },
  run,
  async autocomplete(context) {
    const { client, focused } = context;
    if (focused.name === 'identifier') return await completeIdentifier(context);
    return choicesFor((await client.listBanlists()).data.banlists, focused.value);
  },
  components: screenComponents(screen, run),
};
