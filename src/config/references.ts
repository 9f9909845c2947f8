import { posix, resolve } from 'node:path';
import { usualGameType } from '../server/games/table.ts';
import type { Issue } from './issues.ts';
import type { Config, DiscordConfig, ProjectConfig, ProjectFile, ServerConfig } from './schema.ts';
import { type ChannelEntry, channelListNames } from './schema/channel-jobs.ts';

/** Whether GameDig can query servers of a type. Passed in, since the config has no list of games; null: games are not checked. */
export type IsGame = (type: string) => boolean;

/** A project of the config file, or one with a file of its own, which names its guilds. */
type AnyProject = ProjectConfig & Partial<Pick<ProjectFile, 'guilds'>>;

/** The config file and the files of projects, whose projects come last. */
export type WholeConfig = Omit<Config, 'projects'> & { projects: readonly AnyProject[] };

/** Where something is: a path in the whole config. */
type Path = PropertyKey[];

/**
 * The rules across keys of a config that is valid by its schema: ids are unique, references resolve, nothing counts twice.
 * @param lineNameOf where a path is: `outpost.yaml, line 4`
 */
export function referenceIssues(
  config: WholeConfig,
  isGame: IsGame | null,
  lineNameOf: (path: Path) => string,
): Issue[] {
  const { projects, http, discord } = config;
  if (projects.length === 0) {
    const message = 'expected at least one project, here or in a file of its own in the folder projects';
    return [{ path: ['projects'], message }];
  }
  const slugs = projects.map(({ slug }) => slug);
  return [
    ...duplicateIds(config, lineNameOf),
    ...withPaths(projects, ['projects']).flatMap(([project, at]) => projectIssues(project, at, isGame)),
    // The page would be without a project that does not exist.
    ...unknownIds(http.page?.projects, slugs, ['http', 'page', 'projects'], aProject),
    ...(discord === undefined ? [] : discordIssues(discord, projects, slugs)),
  ];
}

/** The entries of a list with their paths. */
const withPaths = <T>(list: readonly T[] | undefined, at: Path): [T, Path][] =>
  (list ?? []).map((entry, index) => [entry, [...at, index]]);

/** Ids that are used again, in the same file or another. */
function duplicateIds({ projects, discord }: WholeConfig, lineNameOf: (path: Path) => string): Issue[] {
  const ids: [what: string, id: string, path: Path][] = [];
  for (const [project, at] of withPaths(projects, ['projects'])) {
    ids.push(['slug', project.slug, [...at, 'slug']]);
    const lists = { servers: 'server id', banlists: 'ban list id', guilds: 'guild' } as const;
    for (const key of ['servers', 'banlists', 'guilds'] as const)
      for (const [{ id }, path] of withPaths<{ id: string }>(project[key], [...at, key]))
        ids.push([lists[key], id, [...path, 'id']]);
  }
  // Behind all ids that are in use, so that a mistake is reported at the former one.
  for (const [{ servers }, at] of withPaths(projects, ['projects']))
    for (const [{ formerly }, path] of withPaths(servers, [...at, 'servers']))
      if (formerly !== undefined) ids.push(['server id', formerly, [...path, 'formerly']]);
  const used = new Map<string, Path>(
    // The list may name a guild several times, once for each setting that is different in it.
    withPaths(discord?.guilds, ['discord', 'guilds']).map(([guild, at]) => [
      `guild ${guild.id}`,
      [...at, 'id'],
    ]),
  );
  return ids.flatMap(([what, id, path]) => {
    const before = used.get(`${what} ${id}`);
    used.set(`${what} ${id}`, before ?? path);
    if (before === undefined) return [];
    const message = `expected a unique ${what}: ${JSON.stringify(id)} is already used in ${lineNameOf(before)}`;
    return [{ path, message }];
  });
}

function projectIssues({ servers, banlists }: AnyProject, at: Path, isGame: IsGame | null): Issue[] {
  const issues: Issue[] = [];
  const serversBySource = new Map<string, string>();
  for (const [server, path] of withPaths(servers, [...at, 'servers'])) {
    if (isGame?.(server.game) === false)
      issues.push({ path: [...path, 'game'], message: expected(aGame, server.game) });
    issues.push(...duplicateSources(server, serversBySource, path));
  }
  const ids = servers.map(({ id }) => id);
  const withFiles = servers.filter(({ files }) => files !== undefined);
  for (const [{ servers: applied = ids, sources }, path] of withPaths(banlists, [...at, 'banlists'])) {
    issues.push(...unknownIds(applied, ids, [...path, 'servers'], aServer));
    for (const [source, sourcePath] of withPaths(sources, [...path, 'sources'])) {
      const isNitrado = source.format === 'nitrado';
      const fitting = withFiles.filter(({ files }) => !isNitrado || files?.type === 'nitrado');
      const fittingIds = fitting.map(({ id }) => id);
      const what = `${aServer} that ${isNitrado ? 'has its files at Nitrado' : 'has the key files'}`;
      issues.push(...unknownId(source.filesOf, fittingIds, [...sourcePath, 'filesOf'], what));
      const ofList = 'the id of a server on which the list is applied';
      issues.push(...unknownIds(source.servers, applied, [...sourcePath, 'servers'], ofList));
    }
  }
  return issues;
}

const aGame = `a GameDig game type such as ${usualGameType} (all: https://github.com/gamedig/node-gamedig/blob/master/GAMES_LIST.md)`;
const aProject = 'the slug of a project';
const aServer = 'the id of a server of the same project';

const expected = (what: string, got: string): string => `expected ${what}, got ${JSON.stringify(got)}`;

/** @param what the id has to be: `the slug of a project` */
const unknownId = (id: string | undefined, known: readonly string[], path: Path, what: string): Issue[] =>
  id === undefined || known.includes(id) ? [] : [{ path, message: expected(what, id) }];

const unknownIds = (ids: readonly string[] | undefined, known: readonly string[], at: Path, what: string) =>
  withPaths(ids, at).flatMap(([id, path]) => unknownId(id, known, path, what));

/** Two servers of a project that read the same source would count it twice. @param servers by source, to which its own are added */
function duplicateSources(server: ServerConfig, servers: Map<string, string>, at: Path): Issue[] {
  if (!server.active) return [];
  const { files } = server;
  return (['logs', 'playersDb'] as const).flatMap((key) => {
    const path = server[key];
    if (path === undefined) return [];
    const source = `${key} ${files === undefined ? resolve(path) : `${placeOf(files)} ${posix.normalize(path)}`}`;
    const other = servers.get(source);
    servers.set(source, server.id);
    if (other === undefined) return [];
    const message = `expected a unique path: server ${JSON.stringify(other)} has the same, and everything would count twice`;
    return [{ path: [...at, key], message }];
  });
}

/** The same text for the same place, whatever the password or key. */
const placeOf = (files: NonNullable<ServerConfig['files']>): string =>
  JSON.stringify(
    files.type === 'nitrado'
      ? files.serviceId
      : [files.type, files.host.toLowerCase(), files.port, files.username],
  );

/** The projects of `discord` exist, a guild shows one, and each post names servers of one project that a guild shows. */
function discordIssues(
  discord: DiscordConfig,
  projects: readonly AnyProject[],
  slugs: readonly string[],
): Issue[] {
  const guilds = withPaths(discord.guilds, ['discord', 'guilds']);
  const issues = [
    ...unknownId(discord.project, slugs, ['discord', 'project'], aProject),
    ...guilds.flatMap(([{ project }, path]) => unknownId(project, slugs, [...path, 'project'], aProject)),
  ];
  for (const [{ id, project }, path] of guilds) {
    const first = discord.guilds.find((other) => other.id === id);
    const message = `expected one project for each guild: ${JSON.stringify(id)} already shows another one`;
    if (first?.project !== project) issues.push({ path: [...path, 'project'], message });
  }
  // Without the right projects, posts would have mistakes that are none.
  if (issues.length > 0) return issues;
  const shown = new Set([
    discord.project ?? projects.find((project) => project.guilds === undefined)?.slug,
    ...discord.guilds.map(({ project }) => project),
    ...projects.flatMap(({ slug, guilds: ownGuilds = [] }) => (ownGuilds.length > 0 ? slug : [])),
  ]);
  const slugById = new Map<string, string>();
  for (const { slug, servers } of projects.filter((project) => shown.has(project.slug)))
    for (const { id } of servers) slugById.set(id, slug);
  const posts = channelListNames.flatMap((key) => withPaths<ChannelEntry>(discord[key], ['discord', key]));
  return posts.flatMap(([{ servers }, path]) => postIssues(servers, slugById, [...path, 'servers']));
}

/** A guild shows one project, so all servers of a post are of the same one. @param slugById the servers that guilds show */
function postIssues(
  servers: readonly string[] | undefined,
  slugById: ReadonlyMap<string, string>,
  at: Path,
): Issue[] {
  const firstSlug = slugById.get(servers?.find((id) => slugById.has(id)) ?? '');
  return withPaths(servers, at).flatMap(([id, path]) => {
    const slug = slugById.get(id);
    if (slug === undefined)
      return [{ path, message: expected("the id of a server of the bot's project", id) }];
    if (slug === firstSlug) return [];
    const message = `expected a server of the project ${JSON.stringify(firstSlug)} like those before it, got ${JSON.stringify(id)} of ${JSON.stringify(slug)}`;
    return [{ path, message }];
  });
}
