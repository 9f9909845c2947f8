import type { Server } from '../../api/resources.ts';
import { chooseServersEmbed } from '../../embeds/setup.ts';
import type { Reply } from '../command.ts';
import { writeComponentId } from '../component-id.ts';
import { menuPage, menuTurn } from '../menu-pages.ts';
import { failureReply, privateReply } from '../replies.ts';
import { menuRow } from '../view.ts';
import type { PlacingContext } from './placing.ts';

/** Asks for servers with a menu. The choice returns `args`. A choice covers servers of one menu page only. */
function askForServers(
  { language, ownerId }: PlacingContext,
  servers: readonly Server[],
  { action, args }: { action: string; args: readonly string[] },
  page = 1,
): Reply {
  const choices = servers.map(({ id, name }) => ({ label: name, value: id }));
  const shown = menuPage(language, choices, { page });
  const components = menuRow({
    custom_id: writeComponentId({ command: 'outpost', action, ownerId, args }),
    placeholder: language.t('placeholder.servers'),
    min_values: 1,
    max_values: shown.choices,
    options: shown.options,
  });
  return { ...privateReply(chooseServersEmbed(language)), components };
}

/**
 * Calls `proceed` with the chosen servers, or with the only server. Otherwise asks which servers to use.
 */
export async function withServers(
  context: PlacingContext,
  question: { action: string; args: readonly string[] },
  proceed: (servers: readonly Server[]) => Promise<Reply>,
): Promise<Reply> {
  const { client, language } = context;
  const { servers } = (await client.listServers()).data;
  const refuse = (sentence: string) => failureReply(language, 'notFoundTitle', sentence);
  if (servers.length === 0) return refuse(language.t('failure.noServers'));
  if (!('values' in context)) {
    return servers.length === 1 ? await proceed(servers) : askForServers(context, servers, question);
  }
  const turn = menuTurn(context.values);
  if (turn !== null) return askForServers(context, servers, question, turn.page);
  // Those that still exist.
  const chosen = servers.filter(({ id }) => context.values.includes(id));
  return chosen.length === 0 ? refuse(language.t('failure.goneServer')) : await proceed(chosen);
}
