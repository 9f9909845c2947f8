import { isDeepStrictEqual } from 'node:util';
import type { REST } from '@discordjs/rest';
import {
  Routes,
  type APIApplicationCommand,
  type RESTGetCurrentApplicationResult,
  type RESTGetAPICurrentUserGuildsResult,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import type { Logger } from 'pino';
import { commandDefinitions } from '../commands/index.ts';
import { httpStatus } from './discord-error.ts';
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
  /** The guilds that the bot is in: commands that are no longer wanted there are removed. Default: asked from Discord. */
  joinedGuildIds?: readonly string[] | undefined;
  definitions?: readonly Definition[];
  log: Logger;
}

/** Why the commands of one scope could not be registered. */
export interface ScopeFailure {
  /** Null: everywhere. */
  guildId: string | null;
  cause: unknown;
}

/** Some commands could not be registered; every scope was tried. */
export class DeployError extends Error {
  override readonly name = 'DeployError';
  readonly failures: readonly ScopeFailure[];

  constructor(failures: readonly ScopeFailure[]) {
    const [first] = failures;
    super(first?.cause instanceof Error ? first.cause.message : 'Discord did not take the commands', {
      cause: first?.cause,
    });
    this.failures = failures;
  }
}

export interface Deployment {
  /** Null: everywhere. */
  guildId: string | null;
  outcome: 'unchanged' | 'updated' | 'removed';
  /** Names of the commands that are registered now, or that were removed. */
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

function routeOf(applicationId: string, guildId: string | null): `/${string}` {
  return guildId === null
    ? Routes.applicationCommands(applicationId)
    : Routes.applicationGuildCommands(applicationId, guildId);
}

async function registered(rest: REST, route: `/${string}`): Promise<APIApplicationCommand[]> {
  const query = new URLSearchParams({ with_localizations: 'true' });
  return (await rest.get(route, { query })) as APIApplicationCommand[];
}

async function deployTo(
  rest: REST,
  applicationId: string,
  guildId: string | null,
  definitions: readonly Definition[],
): Promise<Deployment> {
  const inGuild = guildId !== null;
  const route = routeOf(applicationId, guildId);
  const existing = await registered(rest, route);
  const byName = (commands: readonly (Definition | APIApplicationCommand)[]) =>
    new Map(commands.map((command) => [command.name, comparable(command, inGuild)]));
  const names = definitions.map((definition) => definition.name);
  const same =
    existing.length === definitions.length && isDeepStrictEqual(byName(existing), byName(definitions));
  if (same) return { guildId, outcome: 'unchanged', names };
  await rest.put(route, { body: definitions.map((definition) => bodyOf(definition, inGuild)) });
  return { guildId, outcome: 'updated', names };
}

/** Removes what an earlier config had registered in a scope; members would see each of these commands twice. */
async function clear(rest: REST, applicationId: string, guildId: string | null): Promise<Deployment | null> {
  const route = routeOf(applicationId, guildId);
  try {
    const existing = await registered(rest, route);
    if (existing.length === 0) return null;
    await rest.put(route, { body: [] });
    return { guildId, outcome: 'removed', names: existing.map((command) => command.name) };
  } catch (error) {
    // The bot was added to that guild without the right to have commands there, or has left it: there are none.
    if (guildId !== null && (httpStatus(error) === 403 || httpStatus(error) === 404)) return null;
    throw error;
  }
}

/**
 * Registers the commands at Discord where what is registered there differs: registrations are few a day, and members see
 * commands vanish for a moment. In all other scopes (everywhere, or a guild that the config no longer names) they are removed.
 * @throws DeployError when a scope could not be registered; the others are. What the options leave out has to be asked
 * first: DiscordAPIError when Discord refuses (401: the token), other errors when it cannot be reached.
 */
export async function deployCommands(options: DeployOptions): Promise<Deployment[]> {
  const { log, guildIds = [], definitions = commandDefinitions } = options;
  const rest = createRest(options);
  const applicationId =
    options.applicationId ??
    ((await rest.get(Routes.currentApplication())) as RESTGetCurrentApplicationResult).id;
  const { joinedGuildIds } = options;
  const isJoined = (guildId: string) => joinedGuildIds?.includes(guildId) ?? true;
  const scopes = guildIds.length > 0 ? guildIds.filter(isJoined) : [null];
  for (const guildId of guildIds.filter((each) => !isJoined(each))) {
    log.warn(
      `no commands in guild ${guildId}: the bot is not in it. Once it is invited, they come by themselves.`,
    );
  }
  const deployments: Deployment[] = [];
  const failures: ScopeFailure[] = [];
  const attempt = async (guildId: string | null, work: () => Promise<Deployment | null>): Promise<void> => {
    try {
      const deployment = await work();
      if (deployment === null) return;
      const where = guildId === null ? 'everywhere' : `in guild ${guildId}`;
      log.info(`commands ${deployment.outcome} ${where}: ${deployment.names.join(', ')}`);
      deployments.push(deployment);
    } catch (cause) {
      failures.push({ guildId, cause });
    }
  };
  for (const guildId of scopes) {
    await attempt(guildId, () => deployTo(rest, applicationId, guildId, definitions));
  }
  for (const guildId of await unwanted(rest, options)) {
    await attempt(guildId, () => clear(rest, applicationId, guildId));
  }
  if (failures.length > 0) throw new DeployError(failures);
  return deployments;
}

/** Scopes in which no commands are wanted. */
async function unwanted(
  rest: REST,
  { guildIds = [], joinedGuildIds }: DeployOptions,
): Promise<(string | null)[]> {
  const joined = joinedGuildIds ?? (await joinedGuilds(rest));
  const guilds = joined.filter((guildId) => !guildIds.includes(guildId));
  return guildIds.length > 0 ? [null, ...guilds] : guilds;
}

/** The guilds that the bot is in; Discord tells the first 200. */
async function joinedGuilds(rest: REST): Promise<string[]> {
  const guilds = (await rest.get(Routes.userGuilds())) as RESTGetAPICurrentUserGuildsResult;
  return guilds.map((guild) => guild.id);
}
