import { isDeepStrictEqual } from 'node:util';
import { placeKinds } from './schema/files.ts';
import type { Config, ProjectConfig, ServerConfig } from './schema.ts';

export const projectOf = ({ projects }: Config, slug: string): ProjectConfig | undefined =>
  projects.find((project) => project.slug === slug);

/** The project of guilds that name none, and of direct messages. */
function defaultProject({ discord, projects }: Config): ProjectConfig | undefined {
  const { project: named } = discord ?? {};
  // Projects with files of their own are for the guilds that they name.
  return projects.find(({ slug, file }) => (named === undefined ? file === undefined : slug === named));
}

/** The project that a guild shows. @param guildId null: a direct message, or an unknown guild */
export function projectOfGuild(config: Config, guildId: string | null): ProjectConfig | undefined {
  // The list may name a guild several times, once for each setting that is different in it.
  const slug = config.discord?.guilds.findLast(
    ({ id, project }) => id === guildId && project !== undefined,
  )?.project;
  return slug === undefined ? defaultProject(config) : projectOf(config, slug);
}

/** Whether some guilds show another project than others. */
export function showsSeveralProjects(config: Config): boolean {
  const defaultSlug = defaultProject(config)?.slug;
  return (
    config.discord?.guilds.some(({ project }) => project !== undefined && project !== defaultSlug) === true
  );
}

/** A server and its project; undefined: the config has no such server. */
export function serverOf(
  { projects }: Pick<Config, 'projects'>,
  serverId: string,
): { project: ProjectConfig; server: ServerConfig } | undefined {
  for (const project of projects) {
    const server = project.servers.find(({ id }) => id === serverId);
    if (server !== undefined) return { project, server };
  }
  return undefined;
}

/** How late the host of a server may hand over its logs, without anything being wrong; milliseconds. */
export function logsLateByMs({ files }: Pick<ServerConfig, 'files'>): number {
  return (files && placeKinds[files.type].provider?.logsLateByMs) ?? 0;
}

/** The slugs of projects that were added, removed or changed. */
export function changedProjects(before: Config, after: Config): Set<string> {
  const slugs = [before, after].flatMap(({ projects }) => projects.map(({ slug }) => slug));
  const isSame = (slug: string): boolean =>
    isDeepStrictEqual(projectOf(before, slug), projectOf(after, slug));
  return new Set(slugs.filter((slug) => !isSame(slug)));
}
