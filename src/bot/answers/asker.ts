import {
  ApplicationCommandOptionType,
  type AutocompleteInteraction,
  type CommandInteractionOption,
} from 'discord.js';
import type { Asker, CommandOptions } from '../../commands/command.ts';
import type { AnswerableInteraction } from './acknowledgement.ts';

/** The member who used an interaction in a guild, and where. */
export function askerOf(
  interaction: AnswerableInteraction | AutocompleteInteraction,
  guildId: string,
): Asker {
  return {
    userId: interaction.user.id,
    guildId,
    channelId: interaction.channelId,
    // Of the channels of a guild, discord.js lacks only threads: those that were archived at the start.
    isThread: interaction.channel?.isThread() ?? true,
    permissions: interaction.memberPermissions?.bitfield ?? 0n,
    botPermissions: interaction.appPermissions.bitfield,
  };
}

/** Option values by name. For a subcommand: its own options, and its path as `subcommand`, such as `watch add`. */
export function valuesOf(options: readonly CommandInteractionOption[], group = ''): CommandOptions {
  const values: Record<string, string | number | boolean> = {};
  for (const option of options) {
    if (option.type === ApplicationCommandOptionType.SubcommandGroup) {
      Object.assign(values, valuesOf(option.options ?? [], `${option.name} `));
    } else if (option.type === ApplicationCommandOptionType.Subcommand) {
      Object.assign(values, valuesOf(option.options ?? []), { subcommand: `${group}${option.name}` });
    } else if (option.value !== undefined) values[option.name] = option.value;
  }
  return values;
}
