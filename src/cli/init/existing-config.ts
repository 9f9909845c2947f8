import { dirname, resolve } from 'node:path';
import { parseMainFile, readYaml, type Surroundings } from '../../config/parse.ts';
import { ProjectFiles } from '../../config/project-files.ts';
import type { Config, ProjectConfig, ServerConfig } from '../../config/schema.ts';
import { readTextFile } from '../../config/text-file.ts';
import type { Place } from '../../server/files/remote/place.ts';
import { placeName } from '../../server/store/repositories/projects/places.ts';
import { CommandFailure } from '../output.ts';
import { knownGames } from '../read-config.ts';
import type { KnownServers } from './context.ts';
import type { InitOptions } from './options.ts';
import type { PlannedServer } from './plan.ts';
import type { Prompts } from './prompts.ts';

/** A config that servers are added to. */
export interface ExistingConfig {
  file: string;
  text: string;
  config: Config;
  /** The place of the project among those of the file. */
  index: number;
  project: Config['projects'][number];
  /** Of all projects, those with files of their own included. Paths on this machine are absolute. */
  servers: ServerConfig[];
}

/**
 * Checks the text of a config file, whose projects may have files of their own.
 * @returns `files`: these files, by the slug of the project @throws ConfigError
 */
export function checkConfigText(
  text: string,
  file: string,
  variable: (name: string) => string | undefined,
): { config: Config; servers: ServerConfig[]; files: ReadonlyMap<string, string> } {
  const secrets = { variable: (name: string) => variable(name) ?? 'unknown', file: () => 'unknown' };
  const surroundings: Surroundings = { games: knownGames, secrets };
  const main = readYaml(text, file);
  const { sources, broken } = new ProjectFiles().read(dirname(file), main, () => surroundings);
  const [mistake] = broken;
  if (mistake !== undefined) throw mistake.error;
  const elsewhere = sources.map(({ reading }) => reading.value);
  const config = parseMainFile(main, surroundings, { projects: elsewhere, areAll: true });
  const servers = [
    ...config.projects.flatMap((project) => serversFrom(file, project)),
    ...sources.flatMap((source) => serversFrom(source.file, source.reading.value)),
  ];
  const files = new Map(sources.map(({ file: own, reading }) => [reading.value.slug, own]));
  return { config, servers, files };
}

const serversFrom = (file: string, { servers }: Pick<ProjectConfig, 'servers'>): ServerConfig[] =>
  servers.map((server) =>
    server.files === undefined && server.logs !== undefined
      ? { ...server, logs: resolve(dirname(file), server.logs) }
      : server,
  );

/** What of these servers a search need not find again. */
export function knownOf(servers: readonly ServerConfig[]): KnownServers {
  const logs = servers.flatMap(({ files, logs: folder }) => (files === undefined ? (folder ?? []) : []));
  const services = servers.flatMap(({ files }) => (files?.type === 'nitrado' ? files.serviceId : []));
  return { logs: new Set(logs), services: new Set(services) };
}

/** The id under which a config has the logs of a server; null: it does not have them. */
export function idOfKnown({ place, logs }: PlannedServer, servers: readonly ServerConfig[]): string | null {
  const nameOf = (at: Place | null): string => (at === null ? '' : placeName(at));
  const known = servers.find(
    (one) => logs !== null && one.logs === logs && nameOf(one.files ?? null) === nameOf(place),
  );
  return known?.id ?? null;
}

/** @throws CommandFailure, or ConfigError with the mistakes of the config */
export async function readExistingConfig(
  file: string,
  { project: slug }: InitOptions,
  prompts: Prompts | null,
): Promise<ExistingConfig> {
  const text = readText(file);
  const { config, servers, files } = checkConfigText(text, file, () => undefined);
  const { projects } = config;
  const slugs = projects.map((one) => one.slug).join(', ');
  const [only] = projects;
  const named = projects.find((one) => one.slug === slug);
  let project = slug === undefined && projects.length === 1 ? only : named;
  if (project === undefined && slug === undefined && prompts !== null && projects.length > 0) {
    const choices = projects.map((value) => ({ value, label: value.name, hint: value.slug }));
    project = await prompts.select('To which project?', choices);
  }
  if (project !== undefined)
    return { file, text, config, servers, project, index: projects.indexOf(project) };
  const own = files.get(slug ?? '');
  if (own !== undefined) throw new CommandFailure(`${slug} has a file of its own: add the server to ${own}.`);
  const next =
    slugs === ''
      ? `${file} holds no project itself: add the server to the file of its project.`
      : `--project: expected one of the projects in ${file}: ${slugs}.`;
  throw new CommandFailure(next);
}

function readText(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new CommandFailure(`Cannot read the config ${file}: ${(error as Error).message}`);
    throw new CommandFailure(
      `There is no config at ${file} that a server could be added to. Run "outpost init" without --add.`,
    );
  }
}
