import {
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import { bansCommand } from './bans.ts';
import type { Command } from './command.ts';
import { lookupCommand } from './lookup.ts';
import { localised } from './localized.ts';
import { onlineCommand } from './online.ts';
import { outpostCommand } from './outpost/index.ts';
import { scheduleCommand } from './schedule.ts';
import { statusCommand } from './status.ts';
import { topCommand } from './top.ts';

/** Every slash command, by its name. Dispatch and registration are both driven by this table. */
export const commands = {
  status: statusCommand,
  online: onlineCommand,
  top: topCommand,
  lookup: lookupCommand,
  bans: bansCommand,
  schedule: scheduleCommand,
  outpost: outpostCommand,
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

/** The command of that name; null when there is none (Discord may show a list that is older than the bot). */
export function commandNamed(name: string): Command | null {
  return Object.hasOwn(commands, name) ? commands[name as CommandName] : null;
}

/** What is registered at Discord, with every default said, so that it can be compared with what Discord holds. */
export const commandDefinitions: RESTPostAPIChatInputApplicationCommandsJSONBody[] = Object.values(
  commands,
).map((command: Command) => ({
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
  integration_types: [ApplicationIntegrationType.GuildInstall],
  default_member_permissions: null,
  ...localised(command.definition),
}));
