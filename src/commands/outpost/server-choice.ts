import type { Server } from '../../api/resources.ts';
import type { ChannelKind } from '../../config/schema/channel-jobs.ts';
import { chooseServersEmbed, contentName } from '../../embeds/placements.ts';
import { nameOf } from '../../embeds/shared-texts.ts';
import type { ComponentContext, Reply } from '../command.ts';
import { writeComponentId } from '../component-id.ts';
import { failureReply, privateReply } from '../replies.ts';
import { menuOptions, menuRow, mostMenuOptions } from '../rows.ts';
import { argsOf, optionsOf, type Screen } from '../screen.ts';
import type { PlacementTarget, PlacingContext } from './placing.ts';

/** What a menu of servers has in its custom_id. `menu`: its number below the message, where no two custom_ids may be equal. */
type AskingScreen = Screen & { action: string; options: { menu: 'number' } };

/** Discord's limit for the rows below a message. */
const mostRows = 5;

/** Asks for servers with a menu for each 25 of them. A choice in one of the menus runs the subcommand again. */
function askForServers(
  { language, ownerId, options }: PlacingContext,
  servers: readonly Server[],
  screen: AskingScreen,
): Reply {
  const menus = Math.min(Math.ceil(servers.length / mostMenuOptions), mostRows);
  const components = Array.from({ length: menus }, (_, menu) => {
    const part = servers.slice(menu * mostMenuOptions, (menu + 1) * mostMenuOptions);
    return menuRow({
      custom_id: writeComponentId({ ...screen, ownerId, args: argsOf(screen, { ...options, menu }) }),
      placeholder: language.t('placeholder.servers'),
      min_values: 1,
      max_values: part.length,
      options: menuOptions(part),
    });
  });
  return { ...privateReply(chooseServersEmbed(language)), components: components.flat() };
}

/** A server's name in an answer. */
export const boldName = (server: Server): string => `**${nameOf(server)}**`;

/** Refuses a kind that the channel has already for some of these servers: each message would come twice. Null: it has none. */
export async function refuseDoubled(
  { language }: PlacingContext,
  { placements, guildId, channelId }: PlacementTarget,
  kind: ChannelKind,
  chosen: readonly Server[],
): Promise<Reply | null> {
  const here = (await placements.list(guildId)).filter((placed) => placed.channelId === channelId);
  const alreadyHere = new Set(
    here.flatMap(({ content }) => (content.kind === kind && 'servers' in content ? content.servers : [])),
  );
  const doubled = chosen.filter(({ id }) => alreadyHere.has(id));
  if (doubled.length === 0) return null;
  const what = contentName(language, { text: `post.${kind}`, servers: doubled.map(boldName) });
  const text = language.t('setup.exists', { what });
  return failureReply(language, 'inputTitle', text, language.t('setup.placedNext'));
}

/** Runs a subcommand again, with the servers chosen in that menu. Null: the arguments of its custom_id are invalid. */
export function runWithChoice(
  context: ComponentContext,
  screen: AskingScreen,
  run: (context: PlacingContext) => Promise<Reply>,
): Promise<Reply> | null {
  const options = optionsOf(screen, context.args, []);
  return options === null ? null : run({ ...context, options });
}

/**
 * The servers chosen in a menu, or the only one there is; else an answer that asks for them, or says why there are none.
 * @param onlyWithLogs for what only logs say: other servers are not offered
 */
export async function chooseServers(
  context: PlacingContext,
  screen: AskingScreen,
  onlyWithLogs: boolean,
): Promise<{ chosen: readonly Server[] } | { answer: Reply }> {
  const { client, language, community, values } = context;
  const { servers: all } = (await client.listServers()).data;
  const refuse = (sentence: string) => ({ answer: failureReply(language, 'notFoundTitle', sentence) });
  if (all.length === 0) return refuse(language.t('failure.noServers'));
  const servers = onlyWithLogs ? all.filter(({ id }) => community.hasLogs(id)) : all;
  if (servers.length === 0) return refuse(language.t('setup.needsLogs'));
  if (values === undefined) {
    return servers.length === 1 ? { chosen: servers } : { answer: askForServers(context, servers, screen) };
  }
  // A server may have been removed since the menu was shown.
  const chosen = servers.filter(({ id }) => values.includes(id));
  return chosen.length === 0 ? refuse(language.t('failure.goneServer')) : { chosen };
}
