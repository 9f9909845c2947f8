import type { Answer } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import { nameOf } from '../embeds/shared-texts.ts';
import { escaped } from '../embeds/text.ts';
import { choicesFor, resolve, type Choice } from './choices.ts';
import {
  numberOption,
  textOption,
  type AutocompleteContext,
  type CommandContext,
  type Reply,
  type Row,
} from './command.ts';
import type { CommandOption } from './definition.ts';
import { pageOf, type Page } from './pages.ts';
import { availableText, failureReply } from './replies.ts';
import type { ScreenControls } from './screen.ts';

export const serverOption = {
  type: 'String',
  name: 'server',
  autocomplete: true,
} as const satisfies CommandOption;

export async function completeServer({ client, focused }: AutocompleteContext): Promise<Choice[]> {
  return choicesFor((await client.listServers()).data.servers, focused.value);
}

/** As many as an embed has fields, and a menu has options. */
const serversPerPage = 25;

/** What an answer about servers shows: one of them, or a page of all. */
interface ShownServers extends Page<Server> {
  answer: Answer<unknown>;
  /** The server that was asked for, or the only one there is; otherwise the answer is about all. */
  only: Server | undefined;
  all: readonly Server[];
}

/** The servers that the options name, or the refusal that explains why there are none. @throws errors of the client */
export async function readServers(context: CommandContext): Promise<ShownServers | { refusal: Reply }> {
  const { client, options } = context;
  const asked = textOption(options, 'server');
  const answer = await client.listServers();
  const all = answer.data.servers;
  const found =
    asked === null ? { server: all.length === 1 ? all[0] : undefined } : findServer(context, all, asked);
  if ('refusal' in found) return found;
  const { server: only } = found;
  const index = all.findIndex(({ id }) => id === only?.id);
  const pageOfOnly = index < 0 ? null : Math.floor(index / serversPerPage) + 1;
  return { answer, only, all, ...pageOf(all, serversPerPage, numberOption(options, 'page') ?? pageOfOnly) };
}

/** As `readServers`, for a command that is always about one server. */
export async function readServer(
  context: CommandContext,
): Promise<(ShownServers & { only: Server }) | { refusal: Reply }> {
  const found = await readServers(context);
  if ('refusal' in found) return found;
  const { only } = found;
  return only === undefined ? noSuchServer(context, found.all, '') : { ...found, only };
}

/** A menu of the servers of a page, below an answer about one of them or about them all. */
export function serverMenu(controls: ScreenControls, { items, only }: ShownServers): Row[] {
  return controls.menu('server', 'placeholder.server', items, only?.id);
}

/** The server that a member selected, or the answer that explains why there is none. */
function findServer(
  context: CommandContext,
  servers: readonly Server[],
  text: string,
): { server: Server } | { refusal: Reply } {
  const match = resolve(servers, text, context.pressed);
  if ('found' in match) return { server: match.found };
  if (!('ambiguous' in match)) return noSuchServer(context, servers, text);
  const names = match.ambiguous.slice(0, 10).map((server) => nameOf(server));
  const several = { server: escaped(text), servers: context.language.list(names) };
  const sentence = context.language.t('failure.ambiguousServer', several);
  return { refusal: failureReply(context.language, 'inputTitle', sentence) };
}

function noSuchServer(context: CommandContext, servers: readonly Server[], text: string): { refusal: Reply } {
  const { language, pressed } = context;
  // A button or menu can only name a server that was there: it has been removed since.
  const key = pressed ? 'failure.goneServer' : 'failure.unknownServer';
  const names = servers.map((server) => nameOf(server));
  const next = availableText(language, names, 'failure.noServers');
  const missing = language.t(key, { server: escaped(text) });
  return { refusal: failureReply(language, 'notFoundTitle', missing, next) };
}
