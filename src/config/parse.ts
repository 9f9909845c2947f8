import { z } from 'zod';
import { ConfigError } from './error.ts';
import { type Issue, issuesOf } from './issues.ts';
import { type AnyProject, type IsGame, referenceIssues } from './references.ts';
import {
  type BotConfig,
  botConfigSchema,
  type Config,
  configSchema,
  type ProjectConfig,
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
  const errors: ConfigError[] = [];
  const checked = <T>(source: ConfigSource, schema: z.ZodType<T>): T | null => {
    try {
      return checkBySchema(source, schema);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      errors.push(error);
      return null;
    }
  };
  const config = checked(main, configSchema);
  const files = others.map((source) => checked(source, projectFileSchema));
  if (config === null || errors.length > 0) throw joined(errors);

  const own = config.projects.length;
  /** The file of a path in the whole config, and the path in it. */
  const placeOf = (path: PropertyKey[]): [ConfigSource, PropertyKey[]] => {
    const [key, index] = path;
    const isElsewhere = key === 'projects' && typeof index === 'number' && index >= own;
    return isElsewhere ? [others[index - own] as ConfigSource, path.slice(2)] : [main, path];
  };
  const nameOf = (path: PropertyKey[]): string => {
    const [source, inFile] = placeOf(path);
    return `${source.file}, line ${source.lineOf(inFile)}`;
  };
  const whole = { ...config, projects: [...config.projects, ...files.filter((file) => file !== null)] };
  const inMain = withSecrets(config, main.secrets);
  const inFiles = files.map((file, index) => withSecrets(file, (others[index] as ConfigSource).secrets));
  const issues = [
    ...referenceIssues(whole, isGame, nameOf),
    ...inMain.issues,
    ...inFiles.flatMap((file, index) =>
      file.issues.map(({ path, message }) => ({ path: ['projects', own + index, ...path], message })),
    ),
  ];
  const placed = issues.map(({ path, message }) => {
    const [source, inFile] = placeOf(path);
    return { source, path: inFile, message };
  });
  const wrong = [main, ...others].flatMap((source) => {
    const ofFile = placed.filter((one) => one.source === source);
    return ofFile.length === 0 ? [] : [mistakesIn(source, ofFile)];
  });
  if (wrong.length > 0) throw joined(wrong);
  const projects = inFiles.map(({ value }, index) => ({
    ...(value as AnyProject),
    file: (others[index] as ConfigSource).file,
  }));
  return withProjects(inMain.value, projects);
}

function withProjects(config: Config, files: readonly AnyProject[]): Config {
  const { discord } = config;
  const guilds = files.flatMap(({ slug, guilds: own = [] }) =>
    own.map((guild) => ({ ...guild, project: slug })),
  );
  return {
    ...config,
    projects: [...config.projects, ...files.map(withoutGuilds)],
    ...(discord && { discord: { ...discord, guilds: [...discord.guilds, ...guilds] } }),
  };
}

function withoutGuilds(file: AnyProject): ProjectConfig {
  const { guilds: _, ...project } = file;
  return project;
}

/** Reads the config of a bot on a remote service. @throws ConfigError with every mistake and its line */
export const parseBotConfig = (text: string, file: string): BotConfig =>
  checkBySchema(readYaml(text, file), botConfigSchema);

function checkBySchema<T>(source: SourceFile, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(source.value ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw mistakesIn(
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
