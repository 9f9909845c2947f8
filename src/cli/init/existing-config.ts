import { dirname, resolve } from 'node:path';
import { parseMainFile, parseProjectFile, readYaml, type Surroundings } from '../../config/parse.ts';
import { readProjectFiles } from '../../config/project-files.ts';
import type { Config, ProjectConfig, ProjectFile, ServerConfig } from '../../config/schema.ts';
import { readTextIfThere } from '../../config/text-file.ts';
import type { Place } from '../../server/files/remote/place.ts';
import { placeName } from '../../server/files/remote/place-name.ts';
import { CommandFailure } from '../output.ts';
import { knownGames } from '../read-config.ts';
import type { KnownServers } from './context.ts';
import type { InitOptions } from './options.ts';
import type { PlannedServer } from './plan.ts';
import type { Prompts } from './prompts.ts';

/** A config that servers are added to. */
export interface ExistingConfig {
  /** The file that has the project: the config file, or the project's own. */
  file: string;
  text: string;
  /** The path of the project in that file. */
  at: readonly (string | number)[];
  project: ProjectConfig | ProjectFile;
  config: Config;
  /** Of all projects. Paths on this machine are absolute. */
  servers: ServerConfig[];
}

type Variables = (name: string) => string | undefined;

const surroundingsWith = (variable: Variables): Surroundings => ({
  games: knownGames,
  secrets: { variable: (name) => variable(name) ?? 'unknown', file: () => 'unknown' },
});

/** Checks the text of a config file, whose projects may have files of their own. @throws ConfigError */
function readText(text: string, file: string, variable: Variables) {
  const surroundings = surroundingsWith(variable);
  const main = readYaml(text, file);
  const sources = readProjectFiles(dirname(file), main, () => surroundings);
  const elsewhere = sources.map(({ reading }) => reading.value);
  const config = parseMainFile(main, surroundings, elsewhere);
  return { config, sources };
}

/** Checks the changed text of the file that has the project. @throws ConfigError */
export function checkChanged({ file, at }: ExistingConfig, text: string, variable: Variables): void {
  if (at.length === 0) parseProjectFile(text, file, surroundingsWith(variable));
  else readText(text, file, variable);
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
  const text = readConfigFile(file);
  const { config, sources } = readText(text, file, () => undefined);
  const projects = [
    ...config.projects.map((project, index) => ({ file, text, at: ['projects', index], project })),
    ...sources.map((own) => ({
      file: own.file,
      text: readConfigFile(own.file),
      at: [],
      project: own.reading.value,
    })),
  ];
  const servers = projects.flatMap((one) => serversFrom(one.file, one.project));
  // Without a terminal, the one in the config file stands before those in files of their own.
  const inMain = projects.slice(0, config.projects.length);
  const [only, ...others] = prompts === null && inMain.length > 0 ? inMain : projects;
  let chosen = slug === undefined && others.length === 0 ? only : undefined;
  chosen ??= projects.find(({ project }) => project.slug === slug);
  if (chosen === undefined && slug === undefined && prompts !== null) {
    const choices = projects.map((value) => ({
      value,
      label: value.project.name,
      hint: value.project.slug,
    }));
    chosen = await prompts.select('To which project?', choices);
  }
  if (chosen !== undefined) return { ...chosen, config, servers };
  const slugs = projects.map(({ project }) => project.slug).join(', ');
  throw new CommandFailure(`--project: expected one of the projects in ${file}: ${slugs}.`);
}

function readConfigFile(file: string): string {
  const text = readTextIfThere(file);
  if (text !== null) return text;
  throw new CommandFailure(
    `There is no config at ${file} that a server could be added to. Run "outpost init" without --add.`,
  );
}
