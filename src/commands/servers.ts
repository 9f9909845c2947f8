import { ApplicationCommandOptionType } from 'discord.js';
import type { Answer } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import { nameOf } from '../embeds/notes.ts';
import { escaped } from '../embeds/text.ts';
import { choicesFor, resolve, type Choice } from './choices.ts';
import {
  numberOption,
  type AutocompleteContext,
  type CommandContext,
  type CommandOptions,
  type Reply,
  type Row,
} from './command.ts';
import type { CommandOption } from './definition.ts';
import { pageOf, type Page } from './pages.ts';
import { failureReply } from './replies.ts';
import { shortRef } from './short-ref.ts';
import type { ScreenControls } from './screen.ts';

export const serverOption = {
  type: ApplicationCommandOptionType.String,
  name: 'server',
  autocomplete: true,
} as const satisfies CommandOption;

export async function completeServer({ client, focused }: AutocompleteContext): Promise<Choice[]> {
  return choicesFor((await client.listServers()).data.servers, focused.value);
}

/** As many as an embed has fields, and a menu has options. */
const serversPerPage = 25;

/** The page of servers that the options name. Default: the page of `current`, or the first. */
export function serverPage(
  servers: readonly Server[],
  options: CommandOptions,
  current: Server | undefined,
): Page<Server> {
  const index = servers.findIndex(({ id }) => id === current?.id);
  const ofCurrent = index < 0 ? null : Math.floor(index / serversPerPage) + 1;
  return pageOf(servers, serversPerPage, numberOption(options, 'page') ?? ofCurrent);
}

/** A menu of a page of servers, below an answer about one of them or about them all. */
export function serverMenu(
  controls: ScreenControls,
  servers: readonly Server[],
  current: Server | undefined,
): Row[] {
  const choices = servers.map(({ id, name }) => ({ label: name, value: shortRef(id) }));
  return controls.menu('server', 'placeholder.server', choices, current ? shortRef(current.id) : null);
}

type Asking = Pick<CommandContext, 'client' | 'language' | 'pressed'>;

/** The server that a member selected, or the answer that explains why there is none. */
export function findServer(
  { language, pressed }: Asking,
  servers: readonly Server[],
  text: string,
): { server: Server } | { refusal: Reply } {
  const match = resolve(servers, text, pressed);
  if ('found' in match) return { server: match.found };
  const names = (list: readonly Server[]) => language.list(list.slice(0, 10).map((server) => nameOf(server)));
  const asked = escaped(text);
  if ('ambiguous' in match) {
    const sentence = language.t('failure.ambiguousServer', {
      server: asked,
      servers: names(match.ambiguous),
    });
    return { refusal: failureReply(language, 'inputTitle', sentence) };
  }
  const sentences = [
    // The component names a server that has been removed since.
    pressed ? language.t('failure.goneServer') : language.t('failure.unknownServer', { server: asked }),
    servers.length === 0
      ? language.t('failure.noServers')
      : language.t('failure.available', { names: names(servers) }),
  ];
  return { refusal: failureReply(language, 'notFoundTitle', ...sentences) };
}

/** The service's answer for all servers, or for the selected one; `servers` always contains all. */
export async function readServers(
  context: Asking,
  asked: string | null,
): Promise<{ answer: Answer<readonly Server[]>; servers: readonly Server[] } | { refusal: Reply }> {
  const answer = await context.client.listServers();
  const { servers } = answer.data;
  if (asked === null) return { answer: { ...answer, data: servers }, servers };
  const found = findServer(context, servers, asked);
  return 'refusal' in found ? found : { answer: { ...answer, data: [found.server] }, servers };
}
