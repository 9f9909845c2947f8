import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type Environment, parseEnvironment } from './environment.ts';
import { ConfigError } from './error.ts';
import { parseBotConfig, parseFiles } from './parse.ts';
import { readYaml, type SourceFile } from './read-yaml.ts';
import type { IsGame } from './references.ts';
import type { BotConfig, Config, ProjectConfig } from './schema.ts';
import { misnamed, readDotEnv, readProblem, readTextIfThere } from './text-file.ts';

/** In the working folder. */
export const dotEnvFile = '.env';

/**
 * Reads `.env` of the working folder, if it exists, into `process.env`, without overriding variables that are set. A
 * blank one is not: panels and compose files set all that they know.
 * @returns warnings for the owner; no value is quoted
 */
export function loadDotEnv(file = dotEnvFile): string[] {
  const { variables, warnings } = readDotEnv(file);
  for (const [name, value] of Object.entries(variables)) {
    process.env[name] = environmentVariable(name) ?? value;
  }
  return warnings;
}

/** What a process of this program inherits, `.env` included. */
export const inheritedEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env });

/** Whether npm runs this process, as in `npm run demo` and `npx outpost start`. */
export function isRunByNpm(): boolean {
  return process.env['npm_lifecycle_event'] !== undefined;
}

/** The checked environment variables. @throws ConfigError */
export const readEnvironment = (): Environment => parseEnvironment(process.env);

/**
 * Reads and checks a config file, the files of projects in the folder `projects` beside it, and the secrets that they
 * refer to. Relative paths to files of this machine are resolved against the folder of the file that has them.
 * `OUTPOST_HTTP_HOST`, `OUTPOST_HTTP_PORT` and `OUTPOST_METRICS_PORT` replace the config's `http.host`, `http.port` and
 * `http.metrics.port`.
 * @param isGame null: `game:` is not checked
 * @throws ConfigError with every mistake and its line
 */
export function readConfig(file: string, isGame: IsGame | null = null): Config {
  const text = readTextIfThere(file);
  if (text === null) throw noConfig(file);
  const config = parseConfigText(text, file, isGame);
  const environment = readEnvironment();
  const projects = config.projects.map((project) =>
    withAbsolutePaths(project, dirname(resolve(project.file ?? file)), environment),
  );
  return withListenAddress({ ...config, projects }, environment);
}

/**
 * Checks the text of a config file, with the files of projects in the folder `projects` beside it.
 * @throws ConfigError with every mistake and its line
 */
export function parseConfigText(
  text: string,
  file: string,
  isGame: IsGame | null,
  readVariable = environmentVariable,
): Config {
  const projects = readProjectFiles(join(dirname(file), 'projects'));
  return parseFiles(readYaml(text, file), projects, isGame, readVariable);
}

/**
 * Where the service listens: the environment replaces what the config says. In a container the config cannot know it, and
 * several processes on a machine have one config.
 */
function withListenAddress(config: Config, { httpHost, httpPort, metricsPort }: Environment): Config {
  const { host, port, metrics = defaultMetrics } = config.http;
  const http = { ...config.http, host: httpHost ?? host, port: httpPort ?? port };
  return {
    ...config,
    http: metricsPort === null ? http : { ...http, metrics: { ...metrics, port: metricsPort } },
  };
}

const defaultMetrics = { host: '127.0.0.1' };

function noConfig(file: string): ConfigError {
  const other = [`${file}.txt`, file.replace(/yaml$/, 'yml')].find((name) => existsSync(name));
  if (other !== undefined) return new ConfigError(misnamed(other, file));
  return new ConfigError(
    [
      `There is no config at ${resolve(file)}.`,
      'If your Outpost has one, run the command in its folder, or name the file in OUTPOST_CONFIG.',
      'To have one written for your game server and bot: outpost init',
      'Or copy config/outpost.example.yaml to config/outpost.yaml and adapt it.',
      'To try it first, without an account or a game server: outpost demo',
    ].join('\n'),
  );
}

/**
 * Reads the config of a bot on a remote service. Null: there is no such file, which is allowed.
 * @throws ConfigError with every mistake and its line
 */
export function readBotConfig(file: string): BotConfig | null {
  const text = readTextIfThere(file);
  return text === null ? null : parseBotConfig(text, file);
}

/** @param folder of relative paths to files of this machine; the paths of a server with `files` are paths at its host */
function withAbsolutePaths(
  project: ProjectConfig,
  folder: string,
  { nitradoApiUrl: baseUrl }: Environment,
): ProjectConfig {
  const absolute = (path: string): string => resolve(folder, path);
  const servers = project.servers.map((server) => {
    const { files, logs, playersDb, schedules } = server;
    if (files !== undefined)
      return files.type === 'nitrado' && baseUrl !== undefined
        ? { ...server, files: { ...files, baseUrl } }
        : server;
    return {
      ...server,
      ...(logs !== undefined && { logs: absolute(logs) }),
      ...(playersDb !== undefined && { playersDb: absolute(playersDb) }),
      schedules: schedules.map((schedule) =>
        schedule.source === 'messages.xml' ? { ...schedule, file: absolute(schedule.file) } : schedule,
      ),
    };
  });
  const banlists = project.banlists.map((banlist) => ({
    ...banlist,
    sources: banlist.sources.map((source) =>
      source.filesOf === undefined ? { ...source, file: absolute(source.file) } : source,
    ),
  }));
  return { ...project, servers, banlists };
}

/** A variable of the environment or `.env`. Undefined: it is missing or blank. */
export function environmentVariable(name: string): string | undefined {
  const value = process.env[name];
  return value?.trim() === '' ? undefined : value;
}

const isProjectFile = (name: string): boolean => /^[^.].*\.ya?ml(?:\.txt)?$/i.test(name);

/** Reads the files of projects, in the order of their names. @throws ConfigError, which names the first that cannot be read */
const readProjectFiles = (folder: string): SourceFile[] =>
  namesIn(folder).map((name) => {
    const file = join(folder, name);
    // Windows hides the ending that Notepad has added.
    if (/\.txt$/i.test(file)) throw new ConfigError(`${misnamed(file, basename(file, extname(file)))}.`);
    return readYaml(readTextIfThere(file) ?? '', file);
  });

/**
 * In alphabetical order; none if there is no such folder. A link to a disk that is away is an error instead: without its
 * projects, the config would look as if the owner had removed them.
 */
function namesIn(folder: string): string[] {
  try {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(folder).filter(isProjectFile).toSorted();
  } catch (error) {
    throw new ConfigError(readProblem(folder, error as NodeJS.ErrnoException));
  }
}
