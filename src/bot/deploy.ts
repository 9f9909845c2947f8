import { isDeepStrictEqual } from 'node:util';
import type { REST } from '@discordjs/rest';
import {
  Routes,
  type APIApplicationCommand,
  type RESTGetCurrentApplicationResult,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import type { Logger } from 'pino';
import { commandDefinitions } from '../commands/index.ts';
import { createRest } from './rest.ts';

type Definition = RESTPostAPIChatInputApplicationCommandsJSONBody;

export interface DeployOptions {
  token: string;
  /** Default: Discord's. */
  apiUrl?: string | undefined;
  /** Default: asked from Discord. */
  applicationId?: string | undefined;
  /** Register in these guilds only, where commands appear at once; empty or left out: everywhere. */
  guildIds?: readonly string[] | undefined;
  definitions?: readonly Definition[];
  log: Logger;
}

export interface Deployment {
  /** Null: everywhere. */
  guildId: string | null;
  outcome: 'unchanged' | 'updated';
  /** Names of the commands that are registered now. */
  names: string[];
}

/** Drops what says nothing (null, false, empty), so that left out and default are the same; keys in one order. */
function normalise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalise);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .map(([key, entry]) => [key, normalise(entry)] as const)
    .filter(([, entry]) => entry !== undefined && entry !== null && entry !== false)
    .filter(([, entry]) => typeof entry !== 'object' || Object.keys(entry as object).length > 0)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries);
}

/** The part of a registered command that its definition decides. Where a command is offered is fixed by its guild, if it has one. */
function comparable(command: Definition | APIApplicationCommand, inGuild: boolean): unknown {
  const sorted = (numbers: readonly number[] | null | undefined) =>
    numbers ? numbers.toSorted((one, other) => one - other) : undefined;
  return normalise({
    type: command.type ?? 1,
    name: command.name,
    name_localizations: command.name_localizations,
    description: command.description,
    description_localizations: command.description_localizations,
    options: command.options,
    default_member_permissions: command.default_member_permissions,
    nsfw: command.nsfw,
    contexts: inGuild ? undefined : sorted(command.contexts),
    integration_types: inGuild ? undefined : sorted(command.integration_types),
  });
}

/**
 * A definition as it is sent. Discord's OpenAPI document wants permissions as a number, and its answers hold them as text.
 * Guild commands carry no contexts: where they are offered is fixed.
 */
function bodyOf(definition: Definition, inGuild: boolean): object {
  const { contexts, integration_types, default_member_permissions: permissions, ...rest } = definition;
  return {
    ...rest,
    default_member_permissions:
      permissions === null || permissions === undefined ? null : Number(permissions),
    ...(!inGuild && { contexts, integration_types }),
  };
}

async function deployTo(
  rest: REST,
  applicationId: string,
  guildId: string | null,
  definitions: readonly Definition[],
): Promise<Deployment> {
  const inGuild = guildId !== null;
  const route = inGuild
    ? Routes.applicationGuildCommands(applicationId, guildId)
    : Routes.applicationCommands(applicationId);
  const existing = (await rest.get(route, {
    query: new URLSearchParams({ with_localizations: 'true' }),
  })) as APIApplicationCommand[];
  const byName = (commands: readonly (Definition | APIApplicationCommand)[]) =>
    new Map(commands.map((command) => [command.name, comparable(command, inGuild)]));
  const names = definitions.map((definition) => definition.name);
  const same =
    existing.length === definitions.length && isDeepStrictEqual(byName(existing), byName(definitions));
  if (same) return { guildId, outcome: 'unchanged', names };
  await rest.put(route, { body: definitions.map((definition) => bodyOf(definition, inGuild)) });
  return { guildId, outcome: 'updated', names };
}

/**
 * Registers the commands at Discord where what is registered there differs: registrations are few a day, and members see
 * commands vanish for a moment.
 * @throws DiscordAPIError when Discord refuses (401: the token), other errors when it cannot be reached.
 */
export async function deployCommands(options: DeployOptions): Promise<Deployment[]> {
  const { log, guildIds = [], definitions = commandDefinitions } = options;
  const rest = createRest(options);
  const applicationId =
    options.applicationId ??
    ((await rest.get(Routes.currentApplication())) as RESTGetCurrentApplicationResult).id;
  const scopes = guildIds.length > 0 ? guildIds : [null];
  const deployments: Deployment[] = [];
  for (const guildId of scopes) {
    const deployment = await deployTo(rest, applicationId, guildId, definitions);
    const where = guildId === null ? 'everywhere' : `in guild ${guildId}`;
    log.info(`commands ${deployment.outcome} ${where}: ${deployment.names.join(', ')}`);
    deployments.push(deployment);
  }
  return deployments;
}
