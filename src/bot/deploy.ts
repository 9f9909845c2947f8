import { isDeepStrictEqual } from 'node:util';
import type { REST } from '@discordjs/rest';
import {
  ApplicationCommandType,
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
  /** Default: read from Discord. */
  applicationId?: string | undefined;
  /** Register in these guilds only; empty or left out: globally. */
  guildIds?: readonly string[] | undefined;
  /** The guilds that the bot is in. Commands that are no longer configured there are removed. Default: read from Discord. */
  joinedGuildIds?: readonly string[] | undefined;
  definitions?: readonly Definition[];
  log: Logger;
}

/** Why the commands of one scope could not be registered. */
export interface ScopeFailure {
  /** Null: globally. */
  guildId: string | null;
  cause: unknown;
}

/** Registration failed in some scopes. Every scope was tried. */
export class DeployError extends Error {
  override readonly name = 'DeployError';
  readonly failures: readonly ScopeFailure[];

  constructor(failures: readonly ScopeFailure[]) {
    const [first] = failures;
    super(first?.cause instanceof Error ? first.cause.message : 'Discord rejected the commands', {
      cause: first?.cause,
    });
    this.failures = failures;
  }
}

interface Deployment {
  /** Null: globally. */
  guildId: string | null;
  outcome: 'unchanged' | 'updated' | 'removed';
  /** Names of the registered or removed commands. */
  names: string[];
}

/** Drops null, false and empty values, which equal the defaults, and sorts the keys. */
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

/** The fields of a command that come from its definition. Guild commands have no contexts. */
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
 * A definition as Discord expects it: permissions as a number, although its responses hold them as text. Guild commands
 * have no contexts.
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

interface Registered {
  commands: APIApplicationCommand[];
  /**
   * The command that starts the application's activity. Discord adds it where the owner turns activities on, and refuses to
   * replace commands without it.
   */
  entryPoints: APIApplicationCommand[];
}

async function registered(rest: REST, route: `/${string}`): Promise<Registered> {
  const query = new URLSearchParams({ with_localizations: 'true' });
  const all = (await rest.get(route, { query })) as APIApplicationCommand[];
  const isEntryPoint = ({ type }: APIApplicationCommand) => type === ApplicationCommandType.PrimaryEntryPoint;
  return {
    commands: all.filter((command) => !isEntryPoint(command)),
    entryPoints: all.filter(isEntryPoint),
  };
}

/** What Discord sent of a command, to be sent back. */
function unchanged(command: APIApplicationCommand): object {
  const { application_id: _, version: _version, default_member_permissions: permissions, ...rest } = command;
  return { ...rest, default_member_permissions: permissions === null ? null : Number(permissions) };
}

/** Whether every definition is registered in a scope, and nothing else. */
function isSame(
  existing: readonly APIApplicationCommand[],
  definitions: readonly Definition[],
  inGuild: boolean,
): boolean {
  const byName = (commands: readonly (Definition | APIApplicationCommand)[]) =>
    new Map(commands.map((command) => [command.name, comparable(command, inGuild)]));
  return existing.length === definitions.length && isDeepStrictEqual(byName(existing), byName(definitions));
}

/**
 * `refused`: the bot was added to the guild without the scope for commands. `failed`: Discord answered with another
 * error.
 */
export type CommandsState = 'registered' | 'missing' | 'different' | 'refused' | 'failed';

/** The state of the commands in a scope. Nothing is changed. @param guildId null: globally */
export async function commandsState(
  rest: REST,
  applicationId: string,
  guildId: string | null,
): Promise<CommandsState> {
  try {
    const { commands } = await registered(rest, routeOf(applicationId, guildId));
    if (commands.length === 0) return 'missing';
    return isSame(commands, commandDefinitions, guildId !== null) ? 'registered' : 'different';
  } catch (error) {
    return guildId !== null && httpStatus(error) === 403 ? 'refused' : 'failed';
  }
}

/** Without definitions, removes what is registered. */
async function deployTo(
  rest: REST,
  applicationId: string,
  guildId: string | null,
  definitions: readonly Definition[],
): Promise<Deployment> {
  const inGuild = guildId !== null;
  const route = routeOf(applicationId, guildId);
  const { commands, entryPoints } = await registered(rest, route);
  const names = (definitions.length === 0 ? commands : definitions).map(({ name }) => name);
  if (isSame(commands, definitions, inGuild)) return { guildId, outcome: 'unchanged', names };
  const bodies = definitions.map((definition) => bodyOf(definition, inGuild));
  await rest.put(route, { body: [...bodies, ...entryPoints.map(unchanged)] });
  return { guildId, outcome: definitions.length === 0 ? 'removed' : 'updated', names };
}

/** Removes what an earlier config registered in a scope. Members would otherwise see each command twice. */
async function clear(rest: REST, applicationId: string, guildId: string | null): Promise<Deployment | null> {
  try {
    const deployment = await deployTo(rest, applicationId, guildId, []);
    return deployment.outcome === 'unchanged' ? null : deployment;
  } catch (error) {
    // The bot left the guild or was added without the commands scope, so it has no commands there.
    if (guildId !== null && (httpStatus(error) === 403 || httpStatus(error) === 404)) return null;
    throw error;
  }
}

/**
 * Registers the commands in each scope where they differ: Discord limits registrations per day, and members see commands
 * disappear for a moment. Removes them from all other scopes (global, or a guild that the config no longer names).
 * @throws DeployError when a scope failed; the other scopes are registered. Before that, reading the application or its
 * guilds may throw DiscordAPIError (401: the token) or a network error.
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
    log.warn(`no commands in guild ${guildId}: the bot is not in it. They are registered once it joins.`);
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

/** Scopes that should have no commands. */
async function unwanted(
  rest: REST,
  { guildIds = [], joinedGuildIds }: DeployOptions,
): Promise<(string | null)[]> {
  const joined = joinedGuildIds ?? (await joinedGuilds(rest));
  const guilds = joined.filter((guildId) => !guildIds.includes(guildId));
  return guildIds.length > 0 ? [null, ...guilds] : guilds;
}

/** The guilds that the bot is in. Discord returns the first 200. */
async function joinedGuilds(rest: REST): Promise<string[]> {
  const guilds = (await rest.get(Routes.userGuilds())) as RESTGetAPICurrentUserGuildsResult;
  return guilds.map((guild) => guild.id);
}
