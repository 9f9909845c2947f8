import {
  ApplicationCommandOptionType,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type CommandInteractionOption,
  type Interaction,
  type RepliableInteraction,
} from 'discord.js';
import type { Logger } from 'pino';
import type { Client } from '../api/client-types.ts';
import type { Choice, Command, CommandOptions, Reply } from '../commands/command.ts';
import { commandNamed } from '../commands/index.ts';
import { refusalFor, type Asker } from '../commands/permission.ts';
import { privateReply } from '../commands/replies.ts';
import { errorEmbed, failureEmbed } from '../embeds/failure.ts';
import { languageOf, type Language } from '../locales/language.ts';
import { createAcknowledgement } from './acknowledgement.ts';
import { loggable } from './discord-error.ts';
import { within } from './time-limit.ts';

export interface DispatchOptions {
  client: Client;
  log: Logger;
  now: () => number;
  /** An answer that takes longer is deferred; Discord waits 3000. Default 1200. */
  deferAfterMs?: number | undefined;
  /** Bound on one answer; Discord takes it for 15 minutes. Default 60 s. */
  answerWithinMs?: number | undefined;
  /** An autocompletion cannot be deferred. Default 1500. */
  completeWithinMs?: number | undefined;
}

export interface Dispatch {
  /** Answers an interaction. Never throws, never leaves a rejection. */
  handle(interaction: Interaction): void;
  /** Waits until everything in flight is answered, or for `ms` at most. */
  settle(ms: number): Promise<void>;
}

/** Values by name; of a subcommand, those that it holds. */
function valuesOf(options: readonly CommandInteractionOption[]): CommandOptions {
  const values: Record<string, string | number | boolean> = {};
  for (const option of options) {
    const isGroup =
      option.type === ApplicationCommandOptionType.Subcommand ||
      option.type === ApplicationCommandOptionType.SubcommandGroup;
    if (isGroup) Object.assign(values, valuesOf(option.options ?? []));
    else if (option.value !== undefined) values[option.name] = option.value;
  }
  return values;
}

function askerOf(interaction: ChatInputCommandInteraction | AutocompleteInteraction): Asker {
  return {
    inGuild: interaction.guildId !== null,
    permissions: interaction.memberPermissions?.bitfield ?? null,
  };
}

/** Leads each interaction to its command and its answer back, acknowledging exactly once and in time. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { client, log, now, deferAfterMs = 1200, answerWithinMs = 60_000, completeWithinMs = 1500 } = options;
  const running = new Set<Promise<void>>();

  const failed = (error: unknown, doing: string): void => {
    log.warn({ error: loggable(error) }, `${doing} an interaction failed`);
  };

  async function replyOf(
    interaction: ChatInputCommandInteraction,
    command: Command,
    language: Language,
  ): Promise<Reply> {
    const refusal = refusalFor(command, askerOf(interaction), language);
    if (refusal !== null) return refusal;
    const context = { client, options: valuesOf(interaction.options.data), language, now: now() };
    try {
      const reply = await within(command.run(context), answerWithinMs);
      if (reply !== 'late') return reply;
      log.warn({ command: interaction.commandName }, 'a command took too long');
      return privateReply(failureEmbed(language, 'waitTitle', [language.t('failure.timeout')]));
    } catch (error) {
      log.warn({ command: interaction.commandName, error: loggable(error) }, 'a command failed');
      return privateReply(errorEmbed(language, error, { now: now() }));
    }
  }

  async function answer(interaction: ChatInputCommandInteraction, command: Command): Promise<void> {
    const language = languageOf(interaction.locale);
    const visibility = command.visibility(valuesOf(interaction.options.data));
    const acknowledgement = createAcknowledgement(interaction, visibility, failed);
    const timer = setTimeout(acknowledgement.defer, deferAfterMs);
    const reply = await replyOf(interaction, command, language).finally(() => clearTimeout(timer));
    try {
      await acknowledgement.send(reply);
    } catch (error) {
      failed(error, 'answering');
      const apology = failureEmbed(language, 'title', [language.t('failure.internal')]);
      await acknowledgement.sendFailure(privateReply(apology));
    }
  }

  async function refuseUnknown(interaction: RepliableInteraction): Promise<void> {
    const language = languageOf(interaction.locale);
    const embed = failureEmbed(language, 'title', [language.t('failure.unknownCommand')]);
    await createAcknowledgement(interaction, 'private', failed).sendFailure(privateReply(embed));
  }

  async function complete(interaction: AutocompleteInteraction): Promise<void> {
    const command = commandNamed(interaction.commandName);
    const focused = interaction.options.getFocused(true);
    const language = languageOf(interaction.locale);
    const context = {
      client,
      options: valuesOf(interaction.options.data),
      language,
      now: now(),
      focused: { name: focused.name, value: focused.value },
    };
    const none: Choice[] = [];
    const refused = command === null || refusalFor(command, askerOf(interaction), language) !== null;
    const completing = refused ? undefined : command.autocomplete?.(context);
    const choices = await within(completing ?? Promise.resolve(none), completeWithinMs);
    await interaction.respond(choices === 'late' ? none : choices);
  }

  async function route(interaction: Interaction): Promise<void> {
    if (interaction.isAutocomplete()) return await complete(interaction);
    if (!interaction.isRepliable()) return;
    const command = interaction.isChatInputCommand() ? commandNamed(interaction.commandName) : null;
    if (command === null || !interaction.isChatInputCommand()) return await refuseUnknown(interaction);
    return await answer(interaction, command);
  }

  return {
    handle(interaction) {
      const work = route(interaction)
        .catch((error: unknown) => failed(error, 'handling'))
        .finally(() => running.delete(work));
      running.add(work);
    },
    async settle(ms) {
      await within(Promise.allSettled(running), ms);
    },
  };
}
