import { type Issue, entries, record, slugsOf, unknownProject, unknownServers } from './raw-config.ts';

/** A project that has a file of its own, with at least `slug`, `servers` and `guilds`. */
export type ProjectElsewhere = Readonly<Record<string, unknown>>;

/** The rules for `discord`: its projects exist, and each post names servers of one project that a guild shows. */
export function discordReferences(
  raw: unknown,
  own: readonly Record<string, unknown>[],
  elsewhere: readonly ProjectElsewhere[],
): Issue[] {
  const discord = record(record(raw)?.['discord']);
  if (discord === undefined) return [];
  const projects = [...own, ...elsewhere];
  const slugs = slugsOf(projects);
  const guilds = entries(discord, 'guilds', ['discord']);
  const naming: [Record<string, unknown>, PropertyKey[]][] = [[discord, ['discord']], ...guilds];
  const unknown = naming.flatMap(([{ project }, path]) =>
    unknownProject(project, slugs, [...path, 'project']),
  );
  const issues = [...unknown, ...guildsOfTwoProjects(guilds)];
  if (issues.length > 0) return issues;
  const named = [...guilds.map(([guild]) => guild), ...elsewhere.flatMap(namedBy)];
  const shown = new Set([discord['project'] ?? own[0]?.['slug'], ...named.map(({ project }) => project)]);
  const owners = new Map(
    projects
      .filter(({ slug }) => shown.has(slug))
      .flatMap((project) => entries(project, 'servers').map(([{ id }]) => [id, project['slug']] as const)),
  );
  const posts = ['statusPosts', 'schedulePosts', 'recapPosts', 'alerts', 'killFeeds'].flatMap((key) =>
    entries(discord, key, ['discord']),
  );
  return posts.flatMap(([{ servers }, path]) => [
    ...unknownServers(servers, new Set(owners.keys()), [...path, 'servers'], "of the bot's project"),
    ...ofSeveralProjects(servers, owners, [...path, 'servers']),
  ]);
}

/** The guilds that a project's own file names. */
const namedBy = (project: ProjectElsewhere): Record<string, unknown>[] =>
  entries(project, 'guilds').map(() => ({ project: project['slug'] }));

/** A guild shows one project. */
function guildsOfTwoProjects(guilds: ReturnType<typeof entries>): Issue[] {
  const seen = new Map<unknown, unknown>();
  return guilds.flatMap(([{ id, project }, path]): Issue[] => {
    const isOther = seen.has(id) && seen.get(id) !== project;
    seen.set(id, project);
    const message = `expected one project for each guild: ${JSON.stringify(id)} already shows another one`;
    return isOther ? [{ path: [...path, 'project'], message }] : [];
  });
}

/** A guild shows one project, so all servers of a post are of the same one. */
function ofSeveralProjects(
  ids: unknown,
  owners: ReadonlyMap<unknown, unknown>,
  path: PropertyKey[],
): Issue[] {
  if (!Array.isArray(ids)) return [];
  const first = owners.get(ids.find((id) => owners.has(id)));
  return ids.flatMap((id: unknown, index): Issue[] => {
    const owner = owners.get(id);
    if (owner === undefined || owner === first) return [];
    const message = `expected a server of the project ${JSON.stringify(first)} like those before it, got ${JSON.stringify(id)} of ${JSON.stringify(owner)}`;
    return [{ path: [...path, index], message }];
  });
}
