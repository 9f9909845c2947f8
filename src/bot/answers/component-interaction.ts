import { MessageFlags, type MessageComponentInteraction } from 'discord.js';
import type { ComponentContext, Reply } from '../../commands/command.ts';
import { readComponentId } from '../../commands/component-id.ts';
import { commandNamed } from '../../commands/index.ts';
import { refusalFor } from '../../commands/permission.ts';
import { failureReply } from '../../commands/replies.ts';
import type { DiscordConfig } from '../../config/schema/discord.ts';
import type { Language } from '../../locales/language.ts';
import type { AnswerRequest } from './answer.ts';

/** The part of a component's context that does not depend on the component. */
export type BaseContext = Pick<
  ComponentContext,
  'client' | 'now' | 'community' | 'channels' | 'pictures' | 'asker' | 'mayShare' | 'language'
>;

type Refusal = 'foreignButton' | 'outdatedButton' | 'notYourButton' | 'mayNotShare';

function refusal(language: Language, text: Refusal): Reply {
  const title = text === 'notYourButton' || text === 'mayNotShare' ? 'deniedTitle' : 'title';
  return failureReply(language, title, language.t(`failure.${text}`));
}

/** Turns the use of a button or menu into an answer request. */
export function requestOf(
  interaction: MessageComponentInteraction,
  base: BaseContext,
  buttons: DiscordConfig['buttons'],
): AnswerRequest {
  const { language, asker } = base;
  const id = readComponentId(interaction.customId);
  const name = typeof id === 'string' ? '' : id.command;
  const refuse = (text: Refusal): AnswerRequest => {
    return { mode: 'private', language, command: name, work: async () => refusal(language, text) };
  };
  if (typeof id === 'string') return refuse(id === 'foreign' ? 'foreignButton' : 'outdatedButton');
  const command = commandNamed(name);
  const components = command?.components;
  if (command === null || components === undefined) return refuse('outdatedButton');

  const isPrivate = interaction.message.flags.has(MessageFlags.Ephemeral);
  const isOthers = !isPrivate && id.ownerId !== asker.userId;
  if (buttons === 'asker' && isOthers && components.isForAll?.(id.action) !== true)
    return refuse('notYourButton');
  if (id.action === 'share' && !base.mayShare) return refuse('mayNotShare');

  const mode = components.mode(id.action);
  const context: ComponentContext = {
    ...base,
    ownerId: mode === 'update' ? id.ownerId : asker.userId,
    visibility: mode !== 'update' ? mode : isPrivate ? 'private' : 'public',
    pressed: true,
    messageId: interaction.message.id,
    options: {},
    action: id.action,
    args: id.args,
    values: interaction.isAnySelectMenu() ? interaction.values : [],
  };
  return {
    mode,
    language,
    command: name,
    work: async () =>
      refusalFor(command, base) ?? (await (components.press(context) ?? refusal(language, 'foreignButton'))),
  };
}
