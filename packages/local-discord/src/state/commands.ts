import { isDeepStrictEqual } from 'node:util';
import type { Command, CommandOption } from '../discord-types.ts';
import { refusals } from '../errors.ts';
import { holds } from './permissions.ts';
import type { State } from './state.ts';
import { type CommandBody, maxCommands } from '../rules/commands.ts';

/** The commands of a scope: a guild's own, or (null) the global ones. */
export function listCommands(state: State, guildId: string | null): Command[] {
  return [...state.commands.values()].filter((command) => (command.guild_id ?? null) === guildId);
}

/** What a member of a guild can type: the guild's own commands and the global ones they do not hide. */
export function usableCommands(state: State, guildId: string | null): Command[] {
  const own = guildId === null ? [] : listCommands(state, guildId);
  const context = guildId === null ? 1 : 0;
  const everywhere = listCommands(state, null).filter((command) => !own.some((one) => isSame(one, command)));
  return [...own, ...everywhere].filter((command) => command.contexts?.includes(context) ?? true);
}

/** Whether Discord would show the command to a member with these permissions (`default_member_permissions`). */
export function mayUse(command: Command, granted: bigint): boolean {
  if (command.default_member_permissions === null) return true;
  const needed = BigInt(command.default_member_permissions);
  return needed === 0n ? holds(granted, 1n << 3n) : holds(granted, needed);
}

const isSame = (one: CommandBody, other: CommandBody): boolean =>
  one.name === other.name && one.type === other.type;

/** The command of a scope that another one of the same name and type overwrites. */
export function sameCommand(state: State, guildId: string | null, body: CommandBody): Command | undefined {
  return listCommands(state, guildId).find((one) => isSame(one, body));
}

/** Adds a command to a scope. @param known the one that it replaces, whose id it keeps */
export function putCommand(
  state: State,
  guildId: string | null,
  body: CommandBody,
  known?: Command,
): Command {
  if (!known && listCommands(state, guildId).length >= maxCommands) throw refusals.tooManyCommands();
  const command = registered(state, guildId, body, known);
  state.commands.set(command.id, command);
  state.publish({ type: 'commandsChanged', guildId });
  return command;
}

/** Replaces a scope's commands; those of the same name keep their ids. */
export function overwriteCommands(
  state: State,
  guildId: string | null,
  bodies: readonly CommandBody[],
): Command[] {
  const commands = bodies.map((body) => registered(state, guildId, body, sameCommand(state, guildId, body)));
  for (const { id } of listCommands(state, guildId)) state.commands.delete(id);
  for (const command of commands) state.commands.set(command.id, command);
  state.publish({ type: 'commandsChanged', guildId });
  return commands;
}

export function removeCommand(state: State, { id, guild_id: guildId }: Command): void {
  state.commands.delete(id);
  state.publish({ type: 'commandsChanged', guildId: guildId ?? null });
}

/** A command's next state; its version is another one only if something changed. */
function registered(state: State, guildId: string | null, body: CommandBody, known?: Command): Command {
  const command: Command = {
    id: known?.id ?? state.snowflake(),
    application_id: state.applicationId,
    version: known?.version ?? '',
    ...(guildId !== null && { guild_id: guildId }),
    ...body,
  };
  if (!known || !isDeepStrictEqual(command, known)) command.version = state.snowflake();
  return command;
}

function withoutLocalizations(item: Command | CommandOption): object {
  const { name_localizations: _, description_localizations: __, options, ...rest } = item;
  return { ...rest, ...(options && { options: options.map(withoutLocalizations) }) };
}

/** A command as the API answers it; translations only when asked for (`with_localizations`), as Discord does. */
export function commandJson(command: Command, localized: boolean): object {
  const { options, contexts } = command;
  return {
    ...(localized ? command : withoutLocalizations(command)),
    dm_permission: contexts?.includes(1) ?? true,
    ...(options.length === 0 && { options: undefined }),
  };
}
