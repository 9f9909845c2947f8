import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { type ConfigMistake, mistaken } from './error.ts';
import { type Issue, ownersIssues, messageForZod } from './issues.ts';
import { readYaml, type SourceFile } from './read-yaml.ts';
import { type IsGame, referenceIssues, type WholeConfig } from './references.ts';
import {
  type BotConfig,
  botConfigSchema,
  type Config,
  configSchema,
  type ProjectFile,
  projectFileSchema,
} from './schema.ts';
import { type SecretSource, withSecrets } from './secrets.ts';

/**
 * Checks the config file and the files of projects: each by its schema, then the rules across keys and files. The guilds of
 * a project's file become those of `discord`.
 * @throws ConfigError with every mistake and its line
 */
export function parseFiles(
  main: SourceFile,
  others: readonly SourceFile[],
  isGame: IsGame | null,
  secrets: SecretSource,
): Config {
  const mistakes: ConfigMistake[] = [];
  const config = bySchema(main, configSchema, mistakes);
  const files = others.map((one) => bySchema(one, projectFileSchema, mistakes));
  if (mistakes.length > 0) throw mistaken(mistakes);

  const { projects: own, ...rest } = config as Config;
  const ofFiles = (files as ProjectFile[]).map((file, index) => ({ ...file, file: others[index]?.file }));
  const whole: WholeConfig = { ...rest, projects: [...own, ...ofFiles] };
  /** The file of a path in the whole config, and the path in it. */
  const sourceOf = (path: readonly PropertyKey[]): [SourceFile, readonly PropertyKey[]] => {
    const [key, index] = path;
    const source = key === 'projects' ? others[Number(index) - own.length] : undefined;
    return source === undefined ? [main, path] : [source, path.slice(2)];
  };
  const nameOf = (at: readonly PropertyKey[]): string => {
    const [source, path] = sourceOf(at);
    return `${source.file}, line ${source.lineOf(path)}`;
  };
  const filled = withSecrets(whole, secrets, (path) => dirname(resolve(sourceOf(path)[0].file)));
  for (const { path, message } of [...referenceIssues(whole, isGame, nameOf), ...filled.issues]) {
    const [source, at] = sourceOf(path);
    mistakes.push(mistakeIn(source, { path: at, message }));
  }
  if (mistakes.length > 0) throw mistaken(mistakes);
  return withGuildsOfFiles(filled.value);
}

function withGuildsOfFiles({ projects, discord, ...config }: WholeConfig): Config {
  const guilds = projects.flatMap(({ slug, guilds: own = [] }) =>
    own.map((guild) => ({ ...guild, project: slug })),
  );
  return {
    ...config,
    projects: projects.map((file) => {
      const { guilds: _, ...project } = file;
      return project;
    }),
    ...(discord && { discord: { ...discord, guilds: [...discord.guilds, ...guilds] } }),
  };
}

/** Reads the config of a bot on a remote service. @throws ConfigError with every mistake and its line */
export function parseBotConfig(text: string, file: string): BotConfig {
  const mistakes: ConfigMistake[] = [];
  const config = bySchema(readYaml(text, file), botConfigSchema, mistakes);
  if (config === null) throw mistaken(mistakes);
  return config;
}

/** Null: it has mistakes, which are added. */
function bySchema<T>(source: SourceFile, schema: z.ZodType<T>, mistakes: ConfigMistake[]): T | null {
  const parsed = schema.safeParse(source.value ?? {}, { reportInput: true, error: messageForZod });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap(ownersIssues);
  mistakes.push(...issues.map((issue) => mistakeIn(source, issue)));
  return null;
}

const mistakeIn = ({ file, lineOf }: SourceFile, { path, message }: Issue): ConfigMistake => ({
  file,
  line: lineOf(path),
  key: z.core.toDotPath(path.filter((part) => typeof part !== 'symbol')),
  message,
});
