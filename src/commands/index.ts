import { bansCommand } from './bans.ts';
import type { Command } from './command.ts';
import { registeredForm } from './definition.ts';
import { heatmapCommand } from './heatmap.ts';
import { linkCommand } from './link.ts';
import { lookupCommand } from './lookup.ts';
import { meCommand } from './me.ts';
import { onlineCommand } from './online.ts';
import { outpostCommand } from './outpost/index.ts';
import { scheduleCommand } from './schedule.ts';
import { statusCommand } from './status.ts';
import { topCommand } from './top.ts';
import type { CommandName } from './visibilities.ts';

/** All slash commands by name. Both dispatch and registration use this table. */
export const commands = {
  status: statusCommand,
  online: onlineCommand,
  top: topCommand,
  lookup: lookupCommand,
  me: meCommand,
  link: linkCommand,
  heatmap: heatmapCommand,
  bans: bansCommand,
  schedule: scheduleCommand,
  outpost: outpostCommand,
} as const satisfies Record<CommandName, Command>;

export type { CommandName };

/** The command with this name; null if there is none, for example when Discord shows an outdated list. */
export function commandNamed(name: string): Command | null {
  return Object.hasOwn(commands, name) ? commands[name as CommandName] : null;
}

export const commandDefinitions = Object.values(commands).map(({ definition }: Command) =>
  registeredForm(definition),
);
