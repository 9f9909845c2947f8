import { createHash } from 'node:crypto';
import type { REST } from '@discordjs/rest';
import { Routes, type APIApplicationCommand, type RESTGetCurrentApplicationResult } from 'discord.js';
import { commandDefinitions } from '../commands/index.ts';
import { httpStatus } from './discord-error.ts';
import { createRest } from './rest.ts';

/** Where commands are registered: in a guild, or everywhere. */
export type Scope = string | null;

function routeOf(applicationId: string, scope: Scope): `/${string}` {
  return scope === null
    ? Routes.applicationCommands(applicationId)
    : Routes.applicationGuildCommands(applicationId, scope);
}

/** The commands as Discord expects them: permissions as a number. Those of a guild have no contexts. */
function commandsIn(scope: Scope): object[] {
  return commandDefinitions.map((definition) => {
    const { contexts, integration_types, default_member_permissions: permissions, ...rest } = definition;
    const required = permissions === null || permissions === undefined ? null : Number(permissions);
    return {
      ...rest,
      default_member_permissions: required,
      ...(scope === null && { contexts, integration_types }),
    };
  });
}

/** Differs when something is to be registered anew. */
export function hashOfCommands(scope: Scope): string {
  return createHash('sha256')
    .update(JSON.stringify(commandsIn(scope)))
    .digest('hex');
}

/** Replaces all commands of a scope. Those with a known name keep their id, and members see no gap. */
export async function registerCommands(rest: REST, applicationId: string, scope: Scope): Promise<void> {
  await rest.put(routeOf(applicationId, scope), { body: commandsIn(scope) });
}

export async function removeCommands(rest: REST, applicationId: string, scope: Scope): Promise<void> {
  await rest.put(routeOf(applicationId, scope), { body: [] });
}

interface Deployment {
  /** Null: everywhere. */
  guildId: Scope;
  /** The names of the registered commands; none: those of an earlier config were removed. */
  names: string[];
}

/**
 * Registers the commands in these guilds, or everywhere where none is named.
 * @throws the client's error of the first scope that failed; every scope was tried
 */
export async function deployCommands({
  guildIds = [],
  ...connection
}: {
  token: string;
  apiUrl?: string | undefined;
  guildIds?: readonly string[] | undefined;
}): Promise<Deployment[]> {
  const rest = createRest(connection);
  const { id } = (await rest.get(Routes.currentApplication())) as RESTGetCurrentApplicationResult;
  const names = commandDefinitions.map(({ name }) => name);
  const deployments: Deployment[] = [
    ...guildIds.map((guildId) => ({ guildId, names })),
    // Members would otherwise see each command twice.
    { guildId: null, names: guildIds.length > 0 ? [] : names },
  ];
  const outcomes = await Promise.allSettled(
    deployments.map(async ({ guildId, names: { length } }) =>
      length > 0 ? await registerCommands(rest, id, guildId) : await removeCommands(rest, id, guildId),
    ),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return deployments;
}

/**
 * `missing`: at least one. `refused`: the bot was added to the guild without the scope for commands. `failed`: Discord answered
 * with another error.
 */
export type CommandsState = 'registered' | 'missing' | 'refused' | 'failed';

/** The state of the commands in a scope. Nothing is changed. */
export async function commandsState(
  reader: { get<T>(route: `/${string}`): Promise<T> },
  applicationId: string,
  scope: Scope,
): Promise<CommandsState> {
  try {
    const registered = await reader.get<APIApplicationCommand[]>(routeOf(applicationId, scope));
    const names = new Set(registered.map(({ name }) => name));
    return commandDefinitions.every(({ name }) => names.has(name)) ? 'registered' : 'missing';
  } catch (error) {
    return scope !== null && httpStatus(error) === 403 ? 'refused' : 'failed';
  }
}
