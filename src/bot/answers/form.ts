import {
  ComponentType,
  TextInputStyle,
  type APIModalInteractionResponseCallbackData,
  type ModalSubmitInteraction,
} from 'discord.js';
import type { Form, FormContext } from '../../commands/command.ts';
import { readComponentId } from '../../commands/component-id.ts';
import { commandNamed } from '../../commands/index.ts';
import { refusalFor } from '../../commands/permission.ts';
import type { AnswerRequest } from './answer.ts';
import { refusal, refusing, type BaseContext } from './component-interaction.ts';

/** Discord's limit for a text of a form. */
const longestText = 4_000;

/** A form as Discord expects it: a modal with a labelled text input for each field. */
export function modalOf({ customId, title, fields }: Form): APIModalInteractionResponseCallbackData {
  return {
    custom_id: customId,
    title,
    components: fields.map(({ name, label, hint, required, maxLength = 100 }) => ({
      type: ComponentType.Label as const,
      label,
      description: hint,
      component: {
        type: ComponentType.TextInput as const,
        custom_id: name,
        style: TextInputStyle.Short,
        required,
        max_length: maxLength,
      },
    })),
  };
}

/** The texts of a form, by the fields' custom ids. They are untrusted. */
function textsOf({ fields }: ModalSubmitInteraction): ReadonlyMap<string, string> {
  return new Map(
    fields.fields.map((field) => [
      field.customId,
      'value' in field && typeof field.value === 'string' ? field.value.slice(0, longestText).trim() : '',
    ]),
  );
}

/** Turns a form that a member sent into an answer request. The answer is private. */
export function submissionOf(interaction: ModalSubmitInteraction, base: BaseContext): AnswerRequest {
  const { language, asker } = base;
  const id = readComponentId(interaction.customId);
  const refuse = refusing(language, id);
  if (typeof id === 'string') return refuse(id === 'foreign' ? 'foreignButton' : 'outdatedButton');
  const command = commandNamed(id.command);
  if (command?.submit === undefined) return refuse('outdatedButton');
  if (id.ownerId !== asker.userId) return refuse('notYourButton');
  const texts = textsOf(interaction);
  const context: FormContext = {
    ...base,
    ownerId: asker.userId,
    visibility: 'private',
    pressed: false,
    action: id.action,
    args: id.args,
    fields: (name) => texts.get(name) ?? '',
  };
  return {
    mode: 'private',
    language,
    command: id.command,
    work: async () =>
      refusalFor(command, asker, language) ??
      (await (command.submit?.(context) ?? refusal(language, 'foreignButton'))),
  };
}
