import { plain } from '../../embeds/text.ts';
import {
  longWatchList,
  watchAddedEmbed,
  watchListEmbed,
  watchRemovedEmbed,
} from '../../embeds/watch-list.ts';
import { choicesFor, type Choice } from '../choices.ts';
import {
  memberOf,
  numberOption,
  textOption,
  type AutocompleteContext,
  type CommandContext,
  type Reply,
} from '../command.ts';
import { completeIdentifier, identifierOption, readIdentifier } from '../identifier-input.ts';
import { optional, readServersById } from '../reads.ts';
import { failureReply, privateReply } from '../replies.ts';
import type { WatchList } from '../interfaces/watch-list.ts';
import type { Subcommand } from './subcommand.ts';

async function addCommand(context: CommandContext): Promise<Reply> {
  const { client, language, options, community, asker } = context;
  const { watch } = community;
  const typed = textOption(options, 'identifier');
  if (typed === null) return failureReply(language, 'inputTitle', language.t('watch.nobodyNamed'));
  const text = readIdentifier(typed)?.value ?? typed;
  const reason = textOption(options, 'reason');
  const added = await watch.add({ text, reason, days: numberOption(options, 'days') }, memberOf(asker));
  if (added === 'full')
    return failureReply(language, 'unavailableTitle', language.t('watch.full', { count: watch.most }));
  if (added === 'forgotten') return failureReply(language, 'notFoundTitle', language.t('watch.forgotten'));
  const [servers, channelIds] = await Promise.all([
    readServersById(client),
    channelsOf(context, asker.guildId),
  ]);
  const on = added.on.map((id) => servers.get(id)?.name ?? id);
  return privateReply(watchAddedEmbed(language, { ...added, on }, channelIds));
}

/** The channels of a guild that get the messages; null: they are not known yet. */
async function channelsOf({ channels }: CommandContext, guildId: string): Promise<string[] | null> {
  // The entry has been written already, so a failure here must not look like one of the command.
  const listing = channels.placements()?.list(guildId);
  const placed = listing && (await optional(listing, null));
  const channelIds = placed?.flatMap(({ channelId, content }) =>
    content.kind === 'alerts' && content.watched !== undefined ? [channelId] : [],
  );
  return channelIds === undefined ? null : [...new Set(channelIds)];
}

async function removeCommand(context: CommandContext): Promise<Reply> {
  const { language, options, community, asker } = context;
  const { watch } = community;
  const id = await findEntry(watch, textOption(options, 'entry') ?? '');
  const removed = id === null ? null : await watch.remove(id, memberOf(asker));
  if (removed === null) return failureReply(language, 'notFoundTitle', language.t('watch.gone'));
  return privateReply(watchRemovedEmbed(language, removed));
}

/** The entry that a choice names by its id, or the only one about a player who is typed. Null: none, or several. */
async function findEntry(watch: WatchList, text: string): Promise<number | null> {
  const entries = await watch.list();
  const identifier = readIdentifier(text)?.value ?? null;
  const subjectText = (identifier ?? text).toLowerCase();
  const chosen = entries.find(({ id }) => String(id) === text);
  if (chosen !== undefined) return chosen.id;
  const [found, another] = entries.filter(({ subject }) => subject.toLowerCase() === subjectText);
  if (another !== undefined) return null;
  return found?.id ?? (identifier === null ? null : await watch.find(identifier));
}

async function listCommand(context: CommandContext): Promise<Reply> {
  const entries = await context.community.watch.list();
  const shown = privateReply(watchListEmbed(context.language, entries));
  const wholeList = longWatchList(context.language, entries);
  return wholeList === null
    ? shown
    : { ...shown, files: [{ name: 'watch-list.txt', data: Buffer.from(wholeList) }] };
}

async function completeEntry(context: AutocompleteContext): Promise<Choice[]> {
  const entries = await optional(context.community.watch.list(), []);
  const candidates = entries.map(({ id, subject, reason }) => ({
    id: String(id),
    name: subject,
    hint: plain(reason ?? '', 40) || String(id),
  }));
  return choicesFor(candidates, context.focused.value);
}

const longestDays = 3_650;
const longestReason = 200;

/** `/outpost watch add|remove|list`: whom the moderators watch. */
export const watchSubcommand: Subcommand = {
  definition: {
    type: 'SubcommandGroup',
    name: 'watch',
    options: [
      {
        type: 'Subcommand',
        name: 'add',
        options: [
          { ...identifierOption, required: true, autocomplete: true },
          { type: 'String', name: 'reason', max_length: longestReason },
          { type: 'Integer', name: 'days', min_value: 1, max_value: longestDays },
        ],
      },
      {
        type: 'Subcommand',
        name: 'remove',
        options: [{ type: 'String', name: 'entry', required: true, autocomplete: true }],
      },
      { type: 'Subcommand', name: 'list' },
    ],
  },
  needsStore: () => 'watch.unavailable',
  runs: { 'watch add': addCommand, 'watch remove': removeCommand, 'watch list': listCommand },
  completes: { 'watch add': completeIdentifier, 'watch remove': completeEntry },
};
