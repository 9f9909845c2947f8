import { ButtonStyle } from 'discord.js';
import { linkNoticeEmbed } from '../../embeds/link.ts';
import { rightsEmbed } from '../../embeds/player-rights.ts';
import { choicesFor, type Choice } from '../choices.ts';
import {
  memberOf,
  textOption,
  type AutocompleteContext,
  type CommandContext,
  type ComponentContext,
  type Reply,
} from '../command.ts';
import { writeComponentId } from '../component-id.ts';
import type { SubcommandDefinition } from '../definition.ts';
import { completeIdentifier, identifierOption, readIdentifier } from '../identifier-input.ts';
import type { MeantPlayers, PlayerRights } from '../interfaces/player-rights.ts';
import { failureReply, privateReply } from '../replies.ts';
import { button, buttonRow } from '../rows.ts';
import type { Subcommand } from './subcommand.ts';

/** Finds whom the option names, and answers with `act`. */
async function withPlayer(
  context: CommandContext,
  act: (rights: PlayerRights, text: string, meant: MeantPlayers) => Promise<Reply>,
): Promise<Reply> {
  const { options, community } = context;
  const { rights } = community;
  const typed = textOption(options, 'identifier') ?? '';
  const text = readIdentifier(typed)?.value ?? typed;
  const meant = await rights.find(text);
  return meant === null ? unknownPlayer(context) : await act(rights, text, meant);
}

const unknownPlayer = ({ language }: Pick<CommandContext, 'language'>): Reply =>
  failureReply(language, 'notFoundTitle', language.t('rights.unknown'));

async function setVisibility(context: CommandContext, change: 'hide' | 'show'): Promise<Reply> {
  return await withPlayer(context, async (rights, text, meant) => {
    const players = await rights[change](text, memberOf(context.asker));
    if (players === 0) return unknownPlayer(context);
    return privateReply(rightsEmbed(context.language, change, { ...meant, players }));
  });
}

/** Undoes the link of a member. */
async function unlinkCommand(context: CommandContext): Promise<Reply> {
  const { language, options, community, asker } = context;
  const memberId = textOption(options, 'member') ?? '';
  const hadLink = await community.links.remove(memberId, memberOf(asker));
  return hadLink
    ? privateReply(linkNoticeEmbed(language, 'memberNone'))
    : failureReply(language, 'notFoundTitle', language.t('link.memberNone'));
}

/** Bytes: in base64url they are 64 characters, the most that an argument of a custom_id has. */
const longestTextBytes = 48;

/** Asks whether to forget a player. The button has the player in its custom_id. */
async function forgetCommand(context: CommandContext): Promise<Reply> {
  const { language, ownerId } = context;
  return await withPlayer(context, async (rights, text, meant) => {
    if (!rights.mayForget()) return onlyTheOwner(context);
    const bytes = Buffer.from(text);
    if (bytes.length > longestTextBytes) {
      return failureReply(language, 'inputTitle', language.t('rights.longName'));
    }
    const args = [bytes.toString('base64url')];
    const customId = writeComponentId({ command: 'outpost', action: 'forget', ownerId, args });
    const sure = button(language, { label: 'button.forget', style: ButtonStyle.Danger }, customId);
    return { ...privateReply(rightsEmbed(language, 'ask', meant)), components: buttonRow(sure) };
  });
}

const onlyTheOwner = ({ language }: Pick<CommandContext, 'language'>): Reply =>
  failureReply(language, 'deniedTitle', language.t('rights.onlyTheOwner'));

async function forget(context: ComponentContext): Promise<Reply> {
  const { rights } = context.community;
  if (!rights.mayForget()) return onlyTheOwner(context);
  const text = Buffer.from(context.args[0] ?? '', 'base64url').toString();
  const players = await rights.forget(text, memberOf(context.asker));
  const embed = rightsEmbed(context.language, 'forget', { players, byName: false });
  return { ...privateReply(embed), components: [] };
}

/** Only hidden players can be shown again. */
async function completeHidden(context: AutocompleteContext): Promise<Choice[]> {
  const hidden = await context.community.rights.hidden().catch(() => []);
  return choicesFor(hidden, context.focused.value);
}

const playerAction = (name: 'hide' | 'show' | 'forget'): SubcommandDefinition => ({
  type: 'Subcommand',
  name,
  options: [{ ...identifierOption, required: true, autocomplete: true }],
});

/** `/outpost player hide|show|forget|unlink`: the rights of players, and who they are. */
export const playerSubcommand: Subcommand = {
  definition: {
    type: 'SubcommandGroup',
    name: 'player',
    options: [
      playerAction('hide'),
      playerAction('show'),
      playerAction('forget'),
      { type: 'Subcommand', name: 'unlink', options: [{ type: 'User', name: 'member', required: true }] },
    ],
  },
  needsStore: () => 'rights.unavailable',
  runs: {
    'player hide': (context) => setVisibility(context, 'hide'),
    'player show': (context) => setVisibility(context, 'show'),
    'player forget': forgetCommand,
    'player unlink': unlinkCommand,
  },
  presses: { forget },
  completes: {
    'player hide': completeIdentifier,
    'player forget': completeIdentifier,
    'player show': completeHidden,
  },
};
