import { z } from 'zod';
import { ConfigError } from './error.ts';
import { type Issue, issuesOf } from './issues.ts';
import { type AnyProject, type IsGame, referenceIssues, type WholeConfig } from './references.ts';
import {
  type BotConfig,
  botConfigSchema,
  type Config,
  configSchema,
  type ProjectConfig,
  type ProjectFile,
  projectFileSchema,
} from './schema.ts';
import { configError, joined, readYaml, type SourceFile } from './read-yaml.ts';
import { type SecretSource, withSecrets } from './secrets.ts';

/** A file of the config, and where the secrets are that it names. */
export interface ConfigSource extends SourceFile {
  secrets: SecretSource;
}

/** There are none. */
const noSecrets: SecretSource = {
  variable: () => undefined,
  file: () => {
    throw new Error('no secrets are read');
  },
};

/**
 * Checks the text of a config file; `file` is its name in errors. Paths are not resolved.
 * @param isGame null: `game:` is not checked
 * @throws ConfigError with every mistake and its line
 */
export function parseConfig(
  text: string,
  file: string,
  isGame: IsGame | null = null,
  secrets: SecretSource = noSecrets,
): Config {
  return parseFiles({ ...readYaml(text, file), secrets }, [], isGame);
}

/**
 * Checks the config file and the files of projects: each by its schema, then the rules across keys and files. The guilds of
 * a project's file become those of `discord`.
 * @throws ConfigError with every mistake and its line
 */
export function parseFiles(
  main: ConfigSource,
  others: readonly ConfigSource[],
  isGame: IsGame | null,
): Config {
  const results = [
    checkBySchema(main, configSchema),
    ...others.map((one) => checkBySchema(one, projectFileSchema)),
  ];
  const errors = results.filter((result) => result instanceof ConfigError);
  if (errors.length > 0) throw joined(errors);
  const [config, ...files] = results as [Config, ...ProjectFile[]];

  const projects = files.map((file, index) => ({ ...file, file: others[index]?.file }));
  const whole: WholeConfig = { ...config, projects: [...config.projects, ...projects] };
  /** The file of a path in the whole config, and the path in it. */
  const placeOf = (path: readonly PropertyKey[]): { source: ConfigSource; path: readonly PropertyKey[] } => {
    const [key, index] = path;
    const source = key === 'projects' ? others[Number(index) - config.projects.length] : undefined;
    return source === undefined ? { source: main, path } : { source, path: path.slice(2) };
  };
  const nameOf = (at: readonly PropertyKey[]): string => {
    const { source, path } = placeOf(at);
    return `${source.file}, line ${source.lineOf(path)}`;
  };
  const filled = withSecrets(whole, (path) => placeOf(path).source.secrets);
  const mistakes = [...referenceIssues(whole, isGame, nameOf), ...filled.issues].map(({ path, message }) => ({
    ...placeOf(path),
    message,
  }));
  const wrong = [main, ...others].filter((one) => mistakes.some(({ source }) => source === one));
  if (wrong.length > 0)
    throw joined(
      wrong.map((one) =>
        mistakesIn(
          one,
          mistakes.filter(({ source }) => source === one),
        ),
      ),
    );
  return withGuildsOfFiles(filled.value);
}

function withGuildsOfFiles({ projects, discord, ...config }: WholeConfig): Config {
  const guilds = projects.flatMap(({ slug, guilds: own = [] }) =>
    own.map((guild) => ({ ...guild, project: slug })),
  );
  return {
    ...config,
    projects: projects.map(withoutGuilds),
    ...(discord && { discord: { ...discord, guilds: [...discord.guilds, ...guilds] } }),
  };
}

function withoutGuilds(file: AnyProject): ProjectConfig {
  const { guilds: _, ...project } = file;
  return project;
}

/** Reads the config of a bot on a remote service. @throws ConfigError with every mistake and its line */
export function parseBotConfig(text: string, file: string): BotConfig {
  const result = checkBySchema(readYaml(text, file), botConfigSchema);
  if (result instanceof ConfigError) throw result;
  return result;
}

function checkBySchema<T>(source: SourceFile, schema: z.ZodType<T>): T | ConfigError {
  const parsed = schema.safeParse(source.value ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  return mistakesIn(
    source,
    parsed.error.issues.flatMap((issue) => issuesOf(issue, schema)),
  );
}

const mistakesIn = ({ file, lineOf }: SourceFile, issues: readonly Issue[]): ConfigError =>
  configError(
    file,
    issues.map(({ path, message }) => ({
      line: lineOf(path),
      key: z.core.toDotPath(path.filter((part) => typeof part !== 'symbol')),
      message,
    })),
  );
