import {
  alertTexts,
  contentName,
  notPlacedEmbed,
  placementsEmbed,
  type ContentNames,
  type PlacedEntry,
  type PlacedState,
} from '../../embeds/placements.ts';
import { hasServerRules, rolesOf } from '../../config/schema/channel-jobs.ts';
import { nameOf } from '../../embeds/shared-texts.ts';
import { escaped, facts, plain } from '../../embeds/text.ts';
import type { Language } from '../../locales/language.ts';
import type { CommandContext, ComponentContext, Reply, Row } from '../command.ts';
import { writeComponentId } from '../component-id.ts';
import type { Placed } from '../interfaces/placements.ts';
import type { Channels } from '../interfaces/community.ts';
import { readServersById } from '../reads.ts';
import { failureReply, privateReply, reply } from '../replies.ts';
import { menuOptions, menuRow } from '../rows.ts';
import { messageUrl, missingPermissions } from './placing.ts';
import type { Subcommand } from './subcommand.ts';

const longestName = 40;

/** The name of a server by its id; of an unknown server, the id. */
type NameOf = (id: string) => string;

/** @param markdown true: for an embed; false: for a menu, which shows text as it is */
async function readServerNames({ client }: CommandContext, markdown: boolean): Promise<NameOf> {
  const servers = await readServersById(client);
  return (id) => {
    const server = servers.get(id);
    if (markdown) return server === undefined ? escaped(id, longestName) : nameOf(server, longestName);
    return plain(server?.name ?? id, longestName) || id;
  };
}

/** What a placement is called in a list: its kind and its servers. */
function contentNames({ content, status }: Pick<Placed, 'content' | 'status'>, nameOf: NameOf): ContentNames {
  if (status?.state === 'failing' && status.reason === 'otherProject') {
    // Its servers belong to another project than the guild shows, so they are not named.
    return { text: 'post.foreign', servers: [] };
  }
  if (content.kind === 'leaderboard') return content;
  const isAboutPlayers = content.kind === 'alerts' && !hasServerRules(content);
  const text =
    content.kind === 'recap' && content.servers.length === 0
      ? 'post.recapOfAll'
      : (`post.${isAboutPlayers ? 'players' : content.kind}` as const);
  return { text, servers: content.servers.map(nameOf) };
}

/** When alerts are sent and which role they mention: a channel may have several that differ only in this. */
function alertDetails(language: Language, { content }: Placed): string[] {
  if (content.kind !== 'alerts') return [];
  return [...alertTexts(language, content), ...rolesOf(content).map((id) => `<@&${id}>`)];
}

function stateOf(channels: Channels, guildId: string, placed: Placed): PlacedState {
  const { status, channelId } = placed;
  const granted = channels.permissionsIn(channelId);
  // The bot may have lost permissions since, which alerts and feeds find out only with their next message.
  if (granted !== null && (status === null || status.state === 'shown')) {
    const missing = missingPermissions(granted.permissions, granted.isThread);
    if (missing.includes('ViewChannel')) return { state: 'failing', reason: 'noAccess' };
    if (missing.length > 0) return { state: 'failing', reason: 'noPermission' };
  }
  if (status === null) return { state: 'watching' };
  return status.state === 'shown' ? { state: 'shown', url: messageUrl(guildId, placed) } : status;
}

/** A menu of removable placements, with their channels; no menu if there are none. */
async function removeMenu(context: CommandContext, placements: readonly Placed[]): Promise<Row[]> {
  const { language, ownerId, channels } = context;
  const nameOf = await readServerNames(context, false);
  const removable = placements.filter((placed): placed is Placed & { id: string } => placed.id !== null);
  const choices = removable.map((placed) => {
    const { id, content, channelId } = placed;
    const channel = plain(channels.channelName(channelId) ?? '', 90);
    const alerts = content.kind === 'alerts' && alertTexts(language, content);
    const name = contentName(language, contentNames(placed, nameOf));
    return { id, name, hint: facts(channel !== '' && `#${channel}`, alerts) };
  });
  if (choices.length === 0) return [];
  return menuRow({
    custom_id: writeComponentId({ command: 'outpost', action: 'remove', ownerId, args: [] }),
    placeholder: language.t('placeholder.removePost'),
    options: menuOptions(choices),
  });
}

async function listReply(context: CommandContext, guildId: string, notice: string | null): Promise<Reply> {
  const { language, channels } = context;
  const placements = (await channels.placements()?.list(guildId)) ?? [];
  const nameOf = await readServerNames(context, true);
  const entries = placements.map((placed): PlacedEntry => ({
    channelId: placed.channelId,
    names: contentNames(placed, nameOf),
    state: stateOf(channels, guildId, placed),
    details: alertDetails(language, placed),
    fixed: placed.id === null,
  }));
  return {
    ...reply(placementsEmbed(language, entries, notice)),
    components: await removeMenu(context, placements),
  };
}

/** `/outpost posts`: the posts and alerts of this guild. */
export async function postsCommand(context: CommandContext): Promise<Reply> {
  const { asker, language, channels } = context;
  if (channels.placements() === null)
    return failureReply(language, 'waitTitle', language.t('setup.starting'));
  return await listReply(context, asker.guildId, null);
}

async function remove(context: ComponentContext): Promise<Reply> {
  const { asker, language, channels } = context;
  const id = context.values[0] ?? '';
  const placements = channels.placements();
  if (placements === null) return await postsCommand(context);
  let removed: Placed | null;
  try {
    removed = await placements.remove(asker.guildId, id);
  } catch {
    return privateReply(notPlacedEmbed(language, [language.t('setup.notSaved')]));
  }
  if (removed === null) return await listReply(context, asker.guildId, language.t('setup.removedGone'));
  const names = contentNames(removed, await readServerNames(context, true));
  const what = contentName(language, names);
  return await listReply(context, asker.guildId, language.t('setup.removed', { what }));
}

export const postsSubcommand: Subcommand = {
  definition: { type: 'Subcommand', name: 'posts' },
  runs: { posts: postsCommand },
  presses: { remove },
};
