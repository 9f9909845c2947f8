import { ServiceError } from '../api/client-types.ts';
import type { Identifier } from '../api/identifiers.ts';
import type { Banlist } from '../api/resources.ts';
import { banField, type BanCheckView } from '../embeds/ban-check.ts';
import { failureEmbed, unknownPlayerEmbed } from '../embeds/failure.ts';
import type { PlayerKills } from '../embeds/player-kills.ts';
import { playerEmbed } from '../embeds/player.ts';
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
import { mayBan, readableLists } from './permission.ts';
import { findPlayer } from './player-input.ts';
import { comparePlayer } from './player-identity.ts';
import type { StoredPlayer } from './ports.ts';
import { privateReply, readBranding, reply } from './replies.ts';
import { buttonRow, controlsOf, optionsOf, viewComponents, type View } from './view.ts';
import { askWhichPlayer } from './which-player.ts';

const view: View = { command: 'lookup', options: { identifier: 'text' } };

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

/** A player without an identifier, as the store has it. */
async function showStored(context: CommandContext, { ref, player }: StoredPlayer): Promise<Reply> {
  const { client, language, asker, now } = context;
  const [branding, bans, kills] = await Promise.all([
    readBranding(client),
    readBans(context, (lists) => checkBansOfName(context, player.name, lists)),
    readKills(context, { ref }),
  ]);
  const embed = playerEmbed(language, branding, {
    player,
    bans,
    kills,
    withIdentity: asker.isHome,
    receivedAt: now,
    stale: false,
  });
  if (!asker.isHome) return reply(embed);
  const controls = controlsOf(view, context, { identifier: ref });
  return { ...reply(embed), components: buttonRow(...controls.share()) };
}

async function run(context: CommandContext): Promise<Reply> {
  const { client, options, language, asker, ports, pressed, visibility } = context;
  const text = textOption(options, 'identifier') ?? '';
  const found = await findPlayer(context, text);
  if ('missing' in found) return unknownNameOrIdentifier(language, text);
  if ('several' in found) {
    return await askWhichPlayer(context, controlsOf(view, context, {}), text, found.several);
  }
  if ('stored' in found) return await showStored(context, found.stored);
  const { identifier, typed } = found;
  if (!asker.isHome && typed && identifier.kind !== 'steamId64') {
    return privateReply(failureEmbed(language, 'deniedTitle', [language.t('failure.notHomeIdentifier')]));
  }
  try {
    const [branding, answer, bans, own, kills] = await Promise.all([
      readBranding(client),
      client.getPlayer({ identifier: identifier.value }),
      readBans(context, (lists) => checkBans(context, identifier, lists)),
      linkedPlayer(context),
      readKills(context, identifier),
    ]);
    const { data, receivedAt, stale } = answer;
    const isOwn = own !== null && comparePlayer(data.player, own.identities) === 'same';
    const recognised = typed ? identifier.kind : null;
    const embed = playerEmbed(language, branding, {
      player: data.player,
      bans,
      kills,
      recognised,
      isOwn,
      withIdentity: asker.isHome,
      receivedAt,
      stale,
    });
    const controls = controlsOf(view, context, { identifier: identifier.value });
    const isShared = pressed && visibility === 'public';
    const linking = isOwn
      ? controls.act({ label: 'button.notMe' }, 'unlink')
      : controls.act({ label: 'button.thisIsMe', emoji: '📍' }, 'link');
    // The button contains the identifier, which outside home guilds is not shown to members who looked up a name.
    if (!asker.isHome && !typed) return reply(embed);
    const components = buttonRow(
      ...(ports.links === undefined || isShared ? [] : [linking]),
      ...controls.share(),
    );
    return { ...reply(embed), components };
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'not_found')) throw error;
    return await unknownPlayer(context, identifier);
  }
}

const ofView = viewComponents(view, run);

const components: CommandComponents = {
  mode: (action) => (action === 'link' || action === 'unlink' ? 'private' : ofView.mode(action)),
  press(context) {
    const { action, args, values } = context;
    if (action !== 'link' && action !== 'unlink') return ofView.press(context);
    const identifier = optionsOf(view, args, values)?.['identifier'];
    if (typeof identifier !== 'string') return null;
    return action === 'link' ? link(context, identifier) : unlink(context);
  },
};

/** `/lookup identifier`: one player. Private, since it shows identifiers and earlier names. */
export const lookupCommand: Command = {
  definition: { name: 'lookup', options: [{ ...identifierOption, required: true, autocomplete: true }] },
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
