import {
  ApplicationCommandOptionType,
  type AutocompleteInteraction,
  type CommandInteractionOption,
} from 'discord.js';
import type { Asker, CommandOptions } from '../../commands/command.ts';
import type { AnswerableInteraction } from './acknowledgement.ts';

/** The member who used an interaction, and where. */
export function askerOf(
  interaction: AnswerableInteraction | AutocompleteInteraction,
  isHome: (guildId: string) => boolean,
): Asker {
  const { guildId } = interaction;
  return {
    userId: interaction.user.id,
    guildId,
    channelId: interaction.channelId,
    // Of the channels of a guild, discord.js lacks only threads: those that were archived at the start.
    isThread: interaction.channel?.isThread() ?? guildId !== null,
    isHome: guildId !== null && isHome(guildId),
    permissions: interaction.memberPermissions?.bitfield ?? null,
    botPermissions: guildId === null ? null : interaction.appPermissions.bitfield,
  };
}

/** Option values by name. For a subcommand: its own options, and its path as `subcommand`, such as `server add`. */
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
