import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { type ConfigMistake, errorOf } from './error.ts';
import { type Issue, issuesForOwners, knownKeysMessage } from './issues.ts';
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
import { type ReadVariable, withSecrets } from './secrets.ts';

/**
 * Checks the config file and the files of projects: each by its schema, then the rules across keys and files. The guilds of
 * a project's file become those of `discord`.
 * @throws ConfigError with every mistake and its line
 */
export function parseFiles(
  main: SourceFile,
  others: readonly SourceFile[],
  isGame: IsGame | null,
  readVariable: ReadVariable,
): Config {
  const mistakes: ConfigMistake[] = [];
  const config = parseBySchema(main, configSchema, mistakes);
  const files = others.map((file) => parseBySchema(file, projectFileSchema, mistakes));
  if (mistakes.length > 0) throw errorOf(mistakes);

  // Without mistakes, no file was null.
  const { projects: ofMain, ...rest } = config as Config;
  const ofOthers = (files as ProjectFile[]).map((file, index) => ({ ...file, file: others[index]?.file }));
  const whole: WholeConfig = { ...rest, projects: [...ofMain, ...ofOthers] };
  /** The file of a path in the whole config, and the path in it. */
  const sourceOf = (path: readonly PropertyKey[]): [SourceFile, readonly PropertyKey[]] => {
    const [key, index] = path;
    const source = key === 'projects' ? others[Number(index) - ofMain.length] : undefined;
    return source === undefined ? [main, path] : [source, path.slice(2)];
  };
  const lineNameOf = (path: readonly PropertyKey[]): string => {
    const [source, pathInFile] = sourceOf(path);
    return `${source.file}, line ${source.lineOf(pathInFile)}`;
  };
  const withValues = withSecrets(whole, readVariable, (path) => dirname(resolve(sourceOf(path)[0].file)));
  for (const { path, message } of [...referenceIssues(whole, isGame, lineNameOf), ...withValues.issues]) {
    const [source, pathInFile] = sourceOf(path);
    mistakes.push(mistakeIn(source, { path: pathInFile, message }));
  }
  if (mistakes.length > 0) throw errorOf(mistakes);
  return withGuildsOfFiles(withValues.value);
}

function withGuildsOfFiles({ projects, discord, ...config }: WholeConfig): Config {
  const ofFiles = projects.flatMap(({ slug, guilds = [] }) =>
    guilds.map((guild) => ({ ...guild, project: slug })),
  );
  return {
    ...config,
    projects: projects.map((file) => {
      const { guilds: _, ...project } = file;
      return project;
    }),
    ...(discord && { discord: { ...discord, guilds: [...discord.guilds, ...ofFiles] } }),
  };
}

/** Reads the config of a bot on a remote service. @throws ConfigError with every mistake and its line */
export function parseBotConfig(text: string, file: string): BotConfig {
  const mistakes: ConfigMistake[] = [];
  const config = parseBySchema(readYaml(text, file), botConfigSchema, mistakes);
  if (config === null) throw errorOf(mistakes);
  return config;
}

/** Null: the file has mistakes, which are added to `mistakes`. */
function parseBySchema<T>(source: SourceFile, schema: z.ZodType<T>, mistakes: ConfigMistake[]): T | null {
  const parsed = schema.safeParse(source.value ?? {}, { reportInput: true, error: knownKeysMessage });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap(issuesForOwners);
  mistakes.push(...issues.map((issue) => mistakeIn(source, issue)));
  return null;
}

const mistakeIn = ({ file, lineOf }: SourceFile, { path, message }: Issue): ConfigMistake => ({
  file,
  line: lineOf(path),
  key: z.core.toDotPath(path.filter((part) => typeof part !== 'symbol')),
  message,
});
