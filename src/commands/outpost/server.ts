import { ApplicationCommandOptionType } from 'discord.js';
import { addedServersEmbed, serverAddedEmbed, serverRemovedEmbed } from '../../embeds/added-servers.ts';
import type { FailureTitle } from '../../embeds/failure.ts';
import { clean, code, escaped } from '../../embeds/text.ts';
import { relative } from '../../embeds/timestamps.ts';
import type { Language } from '../../locales/language.ts';
import type { AddedServers, ServerAddition } from '../ports/added-servers.ts';
import { choicesFor, resolve, type Choice } from '../choices.ts';
import {
  textOption,
  type AutocompleteContext,
  type CommandContext,
  type Form,
  type FormContext,
  type Reply,
} from '../command.ts';
import { forHomeGuilds } from '../permission.ts';
import { failureReply, privateReply } from '../replies.ts';
import { serverOption } from '../servers.ts';
import { readServerForm, serverForm } from './server-form.ts';
import type { Subcommand } from './subcommand.ts';

const { String, Subcommand: subcommand, SubcommandGroup } = ApplicationCommandOptionType;

/** Longest name of a server, as in the config. */
const longestName = 100;
const mostChoices = 25;

type ServerContext = Pick<CommandContext, 'language' | 'asker' | 'ports'>;

/** The servers that members added. */
const serversFor = (context: ServerContext) =>
  forHomeGuilds(context, context.ports.addedServers, 'server.unavailable');

/** The game that a member named: by type, by name, or by a part of the name that only one game has. */
function gameOf(servers: AddedServers, typed: string): { type: string; name: string } | null {
  const games = servers.games(typed);
  const wanted = typed.toLowerCase();
  const exact = games.find(({ type, name }) => type === wanted || name.toLowerCase() === wanted);
  return exact ?? (games.length === 1 ? games[0]! : null);
}

function badGame(language: Language): Reply {
  return failureReply(language, 'inputTitle', language.t('server.badGame'));
}

/** The form of `add`. Null: `run` says why there is none. */
function addForm(context: CommandContext): Form | null {
  const allowed = serversFor(context);
  const game = 'refusal' in allowed ? null : gameOf(allowed.port, textOption(context.options, 'game') ?? '');
  return game === null ? null : serverForm(context.language, game, context.asker.userId);
}

/** Answers where there is no form. */
async function addCommand(context: CommandContext): Promise<Reply> {
  const allowed = serversFor(context);
  return 'refusal' in allowed ? allowed.refusal : badGame(context.language);
}

/** Answers the form of `add`. Null: its arguments are invalid. */
function submitServer(context: FormContext): Promise<Reply> | null {
  const [game, ...others] = context.args;
  return game === undefined || others.length > 0 ? null : addTyped(context, game);
}

async function addTyped(context: FormContext, game: string): Promise<Reply> {
  const { language } = context;
  const allowed = serversFor(context);
  if ('refusal' in allowed) return allowed.refusal;
  const invalid = (text: string): Reply => failureReply(language, 'inputTitle', text);
  const typed = readServerForm(context);
  if ('badPort' in typed) return invalid(language.t('server.badPort', { port: code(typed.badPort, 40) }));
  const name = clean(typed.name);
  if (name === '' || name.length > longestName) return invalid(language.t('server.badName'));
  let outcome: ServerAddition;
  try {
    outcome = await allowed.port.add({ ...typed, name, game, ...allowed.who });
  } catch {
    return failureReply(language, 'title', language.t('setup.notSaved'));
  }
  return additionReply(language, outcome, typed.host);
}

function additionReply(language: Language, outcome: ServerAddition, typedHost: string): Reply {
  const refuse = (title: FailureTitle, text: string): Reply => failureReply(language, title, text);
  const host = code(typedHost, 100);
  if ('added' in outcome) return privateReply(serverAddedEmbed(language, outcome.added, outcome.answer));
  if ('retryAt' in outcome) {
    return refuse('waitTitle', language.t('server.tooMany', { when: relative(outcome.retryAt + 999) }));
  }
  if ('known' in outcome) {
    return refuse('inputTitle', language.t('server.known', { server: escaped(outcome.known) || '?' }));
  }
  if ('full' in outcome) {
    const text =
      outcome.full === 0 ? language.t('server.off') : language.t('server.full', { count: outcome.full });
    return refuse('deniedTitle', text);
  }
  if ('refused' in outcome) return refuse('inputTitle', language.t(`server.${outcome.refused}`, { host }));
  return outcome.invalid === 'game'
    ? badGame(language)
    : refuse('inputTitle', language.t('server.badHost', { host }));
}

async function removeCommand(context: CommandContext): Promise<Reply> {
  const { language, options } = context;
  const allowed = serversFor(context);
  if ('refusal' in allowed) return allowed.refusal;
  const typed = textOption(options, 'server') ?? '';
  const match = resolve(await allowed.port.list(), typed);
  const gone = failureReply(
    language,
    'notFoundTitle',
    language.t('server.gone', { server: escaped(typed) || '?' }),
  );
  if (!('found' in match)) return gone;
  try {
    const removed = await allowed.port.remove(match.found.id, allowed.who);
    return removed === null ? gone : privateReply(serverRemovedEmbed(language, removed));
  } catch {
    return failureReply(language, 'title', language.t('setup.notSaved'));
  }
}

async function listCommand(context: CommandContext): Promise<Reply> {
  const allowed = serversFor(context);
  if ('refusal' in allowed) return allowed.refusal;
  return privateReply(addedServersEmbed(context.language, await allowed.port.list()));
}

async function completeGame(context: AutocompleteContext): Promise<Choice[]> {
  const allowed = serversFor(context);
  if ('refusal' in allowed) return [];
  const candidates = allowed.port.games(context.focused.value).map(({ type: id, name }) => ({ id, name }));
  return choicesFor(candidates, context.focused.value).slice(0, mostChoices);
}

async function completeAdded(context: AutocompleteContext): Promise<Choice[]> {
  const allowed = serversFor(context);
  return 'refusal' in allowed ? [] : choicesFor(await allowed.port.list(), context.focused.value);
}

/** `/outpost server`: servers that members add, which are queried only. */
export const serverSubcommand: Subcommand = {
  definition: {
    type: SubcommandGroup,
    name: 'server',
    options: [
      {
        type: subcommand,
        name: 'add',
        options: [{ type: String, name: 'game', required: true, autocomplete: true }],
      },
      { type: subcommand, name: 'remove', options: [{ ...serverOption, required: true }] },
      { type: subcommand, name: 'list' },
    ],
  },
  runs: { 'server add': addCommand, 'server remove': removeCommand, 'server list': listCommand },
  forms: { 'server add': addForm },
  submits: { addserver: submitServer },
  completes: { 'server add': completeGame, 'server remove': completeAdded },
};
