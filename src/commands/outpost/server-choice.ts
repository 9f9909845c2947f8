import type { Server } from '../../api/resources.ts';
import { chooseServersEmbed } from '../../embeds/setup.ts';
import { serverName } from '../../embeds/status.ts';
import type { ComponentContext, Reply } from '../command.ts';
import { writeComponentId } from '../component-id.ts';
import { menuPage, menuTurn } from '../menu-pages.ts';
import { failureReply, privateReply } from '../replies.ts';
import { argsOf, menuRow, optionsOf, type View } from '../view.ts';
import type { PlacementTarget, PlacingContext } from './placing.ts';

/** Whose custom_id is on the menu, by its action. */
export type AskingView = View & { action: string };

/** Asks for servers with a menu, whose choice runs the subcommand again. It covers servers of one menu page only. */
function askForServers(
  { language, ownerId, options }: PlacingContext,
  servers: readonly Server[],
  view: AskingView,
  page = 1,
): Reply {
  const choices = servers.map(({ id, name }) => ({ label: name, value: id }));
  const shown = menuPage(language, choices, { page });
  const components = menuRow({
    custom_id: writeComponentId({ ...view, ownerId, args: argsOf(view, options) }),
    placeholder: language.t('placeholder.servers'),
    min_values: 1,
    max_values: shown.choices,
    options: shown.options,
  });
  return { ...privateReply(chooseServersEmbed(language)), components };
}

/** A server's name in an answer. */
export const boldName = (server: Server): string => `**${serverName(server)}**`;

const doubledTexts = { feed: 'setup.feedExists', recap: 'setup.recapExists' } as const;

/** The refusal where the channel has this of some of these servers already, so that all would come twice; null: it has not. */
export async function refuseDoubled(
  { language }: PlacingContext,
  { placements, guildId, channelId }: PlacementTarget,
  kind: keyof typeof doubledTexts,
  chosen: readonly Server[],
): Promise<Reply | null> {
  const here = (await placements.list(guildId)).filter((placed) => placed.channelId === channelId);
  const known = new Set(here.flatMap(({ content }) => (content.kind === kind ? content.servers : [])));
  const doubled = chosen.filter(({ id }) => known.has(id));
  if (doubled.length === 0) return null;
  const text = language.t(doubledTexts[kind], { servers: language.list(doubled.map(boldName)) });
  return failureReply(language, 'inputTitle', text, language.t('setup.placedNext'));
}

/** Handles that menu. Null: the arguments are invalid. */
export const afterChoice =
  (view: AskingView, run: (context: PlacingContext) => Promise<Reply>) =>
  (context: ComponentContext): Promise<Reply> | null => {
    const options = optionsOf(view, context.args, []);
    return options === null ? null : run({ ...context, options });
  };

/**
 * Calls `proceed` with the chosen servers, or with the only server. Otherwise asks which servers to use.
 * @param ofLogs for what only logs say: other servers are not offered
 */
export async function withServers(
  context: PlacingContext,
  view: AskingView,
  proceed: (servers: readonly Server[]) => Promise<Reply>,
  { ofLogs = false } = {},
): Promise<Reply> {
  const { client, language, community } = context;
  const { servers: all } = (await client.listServers()).data;
  const refuse = (sentence: string) => failureReply(language, 'notFoundTitle', sentence);
  if (all.length === 0) return refuse(language.t('failure.noServers'));
  const servers = ofLogs ? all.filter(({ id }) => community.hasLogs(id)) : all;
  if (servers.length === 0) return refuse(language.t('setup.needsLogs'));
  const { values } = context;
  if (values === undefined) {
    return servers.length === 1 ? await proceed(servers) : askForServers(context, servers, view);
  }
  const turn = menuTurn(values);
  if (turn !== null) return askForServers(context, servers, view, turn.page);
  // Those that still exist.
  const chosen = servers.filter(({ id }) => values.includes(id));
  return chosen.length === 0 ? refuse(language.t('failure.goneServer')) : await proceed(chosen);
}
