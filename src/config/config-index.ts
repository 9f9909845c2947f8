import { isDeepStrictEqual } from 'node:util';
import { planIncludes } from '../api/access.ts';
import { operations } from '../api/operations.ts';
import { placeKinds } from './schema/files.ts';
import type { Config, ProjectConfig, ServerConfig } from './schema.ts';

/** One project of a config that may be reloaded. */
export interface ConfiguredProject {
  slug: string;
  config: () => Config;
  /** Undefined: the config no longer has it. */
  project: () => ProjectConfig | undefined;
}

export function projectNamed(config: () => Config, slug: string): ConfiguredProject {
  return { slug, config, project: () => indexOf(config()).projects.get(slug) };
}

/** The project, if an operation of the contract is open to its members: not suspended, and of a plan that has it. */
export function openProject(
  { project: projectOf }: Pick<ConfiguredProject, 'project'>,
  operation: 'getPlayer' | 'listLeaderboards' | 'listSchedules',
): ProjectConfig | null {
  const project = projectOf();
  if (project === undefined || project.suspended) return null;
  return planIncludes(project.plan, operations[operation].plan) ? project : null;
}

/** The project of guilds that name none, and of direct messages. */
function defaultProject({ discord, projects }: Config): ProjectConfig | undefined {
  const { project: named } = discord ?? {};
  // Projects with files of their own are for the guilds that they name.
  return projects.find(({ slug, file }) => (named === undefined ? file === undefined : slug === named));
}

/** The project that a guild shows. @param guildId null: a direct message, or an unknown guild */
export function projectOfGuild(config: Config, guildId: string | null): ProjectConfig | undefined {
  const slug = guildId === null ? undefined : indexOf(config).guilds.get(guildId);
  return slug === undefined ? defaultProject(config) : indexOf(config).projects.get(slug);
}

/** Whether some guilds show another project than others. */
export function showsSeveralProjects(config: Config): boolean {
  return indexOf(config).areSeveral;
}

/** A server and its project; undefined: the config has no such server. */
export function serverOf(
  config: Config,
  serverId: string,
): { project: ProjectConfig; server: ServerConfig } | undefined {
  return indexOf(config).servers.get(serverId);
}

/** How late the host of a server may hand over its logs, without anything being wrong; milliseconds. */
export function logsLateByMs({ files }: Pick<ServerConfig, 'files'>): number {
  return (files && placeKinds[files.type].provider?.logsLateByMs) ?? 0;
}

/** The slugs of projects that one config has and the other has not, or otherwise. */
export function changedProjects(before: Config, after: Config): Set<string> {
  const [old, current] = [indexOf(before).projects, indexOf(after).projects];
  const slugs = new Set([...old.keys(), ...current.keys()]);
  return new Set([...slugs].filter((slug) => !isDeepStrictEqual(old.get(slug), current.get(slug))));
}

interface Index {
  projects: ReadonlyMap<string, ProjectConfig>;
  servers: ReadonlyMap<string, { project: ProjectConfig; server: ServerConfig }>;
  /** Slugs, by the ids of the guilds that name one. */
  guilds: ReadonlyMap<string, string>;
  areSeveral: boolean;
}

/** A config is never changed, only replaced. */
const indexes = new WeakMap<Config, Index>();

function indexOf(config: Config): Index {
  let index = indexes.get(config);
  if (index === undefined) {
    const { projects, discord } = config;
    const usual = defaultProject(config)?.slug;
    index = {
      projects: new Map(projects.map((project) => [project.slug, project])),
      servers: new Map(
        projects.flatMap((project) => project.servers.map((server) => [server.id, { project, server }])),
      ),
      guilds: new Map(
        (discord?.guilds ?? []).flatMap(({ id, project }) => (project === undefined ? [] : [[id, project]])),
      ),
      areSeveral: (discord?.guilds ?? []).some(({ project }) => project !== undefined && project !== usual),
    };
    indexes.set(config, index);
  }
  return index;
}
