import { setTimeout as delay } from 'node:timers/promises';
import type { Choice, Component, Json, Message } from './discord-types.ts';
import { mayUse, usableCommands } from './state/commands.ts';
import {
  type Acknowledgement,
  type Actor,
  type Interaction,
  type Interactions,
  interactionType,
} from './interactions.ts';
import { ClientRefusal, commandData, type OptionValue } from './options.ts';
import { memberPermissions } from './state/permissions.ts';
import type { State } from './state/state.ts';
import { componentType, componentsIn } from './rules/components.ts';

export interface InvokeOptions {
  /** null: in a direct message with the bot. */
  guildId: string | null;
  /** May be absent in a direct message. */
  channelId?: string;
  user: Actor;
  /** With its sub-commands: `settings posts`. A leading slash is ignored. */
  commandName: string;
  options?: Record<string, OptionValue>;
  /** Send it although Discord would hide the command from this member (permissions overridden by the guild). */
  evenIfHidden?: boolean;
  /** Resolve at the first callback, or (default) when the deferred answer was edited in. */
  until?: 'acknowledged' | 'answered';
  /** How long a deferred answer may take; default 30 s. */
  answerWithinMs?: number;
}

/** A command as a member types it. */
type TypedCommand = Omit<InvokeOptions, 'until' | 'answerWithinMs'>;

export interface AutocompleteOptions extends TypedCommand {
  focused: { name: string; value: string };
}

export interface ComponentUse {
  messageId: string;
  customId: string;
  user: Actor;
  /** Send it although the message has no such component, as a forged request would. */
  forged?: boolean;
  /** A deferred update is waited for only with `answered`: it shows no placeholder. */
  until?: 'acknowledged' | 'answered';
  answerWithinMs?: number;
}

/** How an interaction went; messages are copies of that moment. */
export interface Invocation {
  id: string;
  acknowledgement: Acknowledgement;
  /** Milliseconds from INTERACTION_CREATE to the callback. */
  acknowledgedAfterMs: number;
  deferred: boolean;
  /** Only the user sees the answer. */
  ephemeral: boolean;
  /** `@original`; null when it was deleted or is none. */
  message: Message | null;
  followUps: Message[];
}

export type Actions = ReturnType<typeof createActions>;

/** What members do: type commands, press buttons, choose from menus. Rejects as Discord's client would complain. */
export function createActions(state: State, interactions: Interactions) {
  /** Sends a command as it is typed. @param focused the option that is being completed */
  function typed(options: TypedCommand, type: number, focused?: string): Interaction {
    const { guildId, channelId = null, user } = options;
    const [name = '', ...words] = options.commandName.replace(/^\//, '').split(' ');
    const command = usableCommands(state, guildId).find((one) => one.type === 1 && one.name === name);
    if (!command) throw new ClientRefusal(`there is no command /${name} here`);
    const granted = BigInt(user.permissions ?? memberPermissions);
    if (guildId !== null && !options.evenIfHidden && !mayUse(command, granted)) {
      throw new ClientRefusal(`/${name} is hidden from members without its default_member_permissions`);
    }
    const data = commandData(state, command, words, options.options ?? {}, focused);
    const commandName = [name, ...words].join(' ');
    return interactions.start({
      type,
      data,
      guildId,
      channelId,
      user,
      commandName,
      focusedType: focusedType(data),
    });
  }

  function use(options: ComponentUse, type: number, values?: string[]): Promise<Invocation> {
    const source = findMessage(state, options.messageId, options.user.id);
    const component = componentsIn(source.components).find((one) => one.custom_id === options.customId);
    if (!options.forged) {
      if (component?.type !== type || (values && !takes(component, values)))
        throw new ClientRefusal(`no such component: ${options.customId}`);
      if (component.disabled) throw new ClientRefusal(`the component ${options.customId} is disabled`);
    }
    const interaction = interactions.start({
      type: interactionType.component,
      data: { custom_id: options.customId, component_type: type, ...(values && { values }) },
      guildId: source.guildId,
      channelId: source.channelId,
      user: options.user,
      source,
    });
    return settle(interaction, options);
  }

  return {
    async invoke(options: InvokeOptions): Promise<Invocation> {
      return await settle(typed(options, interactionType.command), options);
    },
    async autocomplete(options: AutocompleteOptions): Promise<Choice[]> {
      const { name, value } = options.focused;
      const values = { ...options.options, [name]: value };
      const interaction = typed({ ...options, options: values }, interactionType.autocomplete, name);
      await interaction.acknowledged.promise;
      return structuredClone(interaction.choices);
    },
    async click(options: ComponentUse): Promise<Invocation> {
      return await use(options, componentType.button);
    },
    async select(options: ComponentUse & { values: string[] }): Promise<Invocation> {
      return await use(options, componentType.menu, options.values);
    },
  };
}

/** Whether these can be chosen from a menu together. */
function takes({ min_values: least = 1, max_values: most = 1, options = [] }: Component, values: string[]) {
  if (values.length < least || values.length > most) return false;
  return values.every((value) => options.some((option) => option.value === value));
}

function findMessage(state: State, messageId: string, userId: string): Message {
  for (const channel of state.channels.values()) {
    const message = channel.messages.get(messageId);
    if (message && (message.visibleTo === null || message.visibleTo === userId)) return message;
  }
  throw new ClientRefusal(`no message ${messageId} that ${userId} can see`);
}

function focusedType(data: Json): number | null {
  const options = (data['options'] ?? []) as Json[];
  for (const option of options) {
    if (option['focused']) return Number(option['type']);
    const nested = focusedType(option);
    if (nested !== null) return nested;
  }
  return null;
}

async function settle(
  interaction: Interaction,
  options: { until?: 'acknowledged' | 'answered'; answerWithinMs?: number },
): Promise<Invocation> {
  await interaction.acknowledged.promise;
  const waits =
    interaction.acknowledgement === 'deferredUpdate'
      ? options.until === 'answered'
      : interaction.acknowledgement === 'deferredMessage' && options.until !== 'acknowledged';
  if (waits) await within(interaction.answered.promise, options.answerWithinMs ?? 30_000);
  const { original, channel } = interaction;
  const shown = original && channel.messages.has(original.id) ? original : null;
  return {
    id: interaction.id,
    acknowledgement: interaction.acknowledgement ?? 'message',
    acknowledgedAfterMs: interaction.acknowledgedAfterMs ?? 0,
    deferred: interaction.acknowledgement?.startsWith('deferred') ?? false,
    ephemeral: typeof original?.visibleTo === 'string',
    message: structuredClone(shown),
    followUps: structuredClone(interaction.followUps),
  };
}

async function within(promise: Promise<void>, ms: number): Promise<void> {
  const late = delay(ms, 'late', { ref: false });
  if ((await Promise.race([promise, late])) === 'late')
    throw new Error(`deferred, but not answered within ${ms} ms`);
}
