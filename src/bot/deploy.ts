import { createHash } from 'node:crypto';
import type { REST } from '@discordjs/rest';
import {
  Routes,
  type APIApplicationCommand,
  type RESTGetCurrentApplicationResult,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import { commandDefinitions } from '../commands/index.ts';
import { httpStatus } from './discord-error.ts';
import { createRest } from './rest.ts';

/** Where commands are registered: in a guild, or everywhere. */
type Scope = string | null;
type Definition = RESTPostAPIChatInputApplicationCommandsJSONBody;

function routeOf(applicationId: string, scope: Scope): `/${string}` {
  return scope === null
    ? Routes.applicationCommands(applicationId)
    : Routes.applicationGuildCommands(applicationId, scope);
}

/** A definition as Discord expects it: permissions as a number. Guild commands have no contexts. */
function bodyOf(definition: Definition, scope: Scope): object {
  const { contexts, integration_types, default_member_permissions: permissions, ...rest } = definition;
  return {
    ...rest,
    default_member_permissions:
      permissions === null || permissions === undefined ? null : Number(permissions),
    ...(scope === null && { contexts, integration_types }),
  };
}

/** Replaces all commands of a scope. Those with a known name keep their id, and members see no gap. */
export async function putCommands(
  rest: REST,
  applicationId: string,
  scope: Scope,
  definitions: readonly Definition[],
): Promise<void> {
  const body = definitions.map((definition) => bodyOf(definition, scope));
  await rest.put(routeOf(applicationId, scope), { body });
}

/** Differs when something is to be registered anew. */
export function hashOfCommands(scope: Scope, definitions: readonly Definition[]): string {
  const bodies = definitions.map((definition) => bodyOf(definition, scope));
  return createHash('sha256').update(JSON.stringify(bodies)).digest('hex');
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
  const deploy = async (guildId: Scope, definitions: readonly Definition[]): Promise<Deployment> => {
    await putCommands(rest, id, guildId, definitions);
    return { guildId, names: definitions.map(({ name }) => name) };
  };
  const outcomes = await Promise.allSettled([
    ...guildIds.map((guildId) => deploy(guildId, commandDefinitions)),
    // Members would otherwise see each command twice.
    deploy(null, guildIds.length > 0 ? [] : commandDefinitions),
  ]);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
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
