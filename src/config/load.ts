import { dirname, resolve } from 'node:path';
import { isMap, isPair, isScalar, type Document, type LineCounter, type Node } from 'yaml';
import { z } from 'zod';
import { unknownKey } from './keys.ts';
import { configReferences } from './references.ts';
import { botConfigSchema, configSchema, type BotConfig, type Config } from './schema.ts';
import { readDotEnv } from './dot-env.ts';
import { ConfigError, type ConfigMistake } from './error.ts';
import { didYouMean, suggestion } from './suggestion.ts';
import { readTextFile, TextFileError } from './text-file.ts';
import { parseYaml } from './yaml-mistake.ts';

/**
 * Reads and checks a config file. Every relative path in it is taken from the file's own folder.
 * Throws a `ConfigError` that lists all mistakes with their lines.
 */
export function readConfig(file: string): Config {
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    throw new ConfigError(missingFileMessage(file, error as NodeJS.ErrnoException));
  }
  const config = parseConfig(text, file);
  return withAbsolutePaths(config, dirname(resolve(file)));
}

function missingFileMessage(file: string, error: NodeJS.ErrnoException): string {
  if (error instanceof TextFileError) return error.message;
  if (error.code === 'EISDIR') return `expected a config file at ${file}, found a folder`;
  if (error.code !== 'ENOENT') return `cannot read the config ${file}: ${error.message}`;
  return [
    `There is no config at ${file}.`,
    'Copy config/outpost.example.yaml to config/outpost.yaml and adapt it (or name another file in OUTPOST_CONFIG).',
    'To look around first, without an account or a game server: npm run demo',
  ].join('\n');
}

/**
 * Reads the config of a bot that reads a service elsewhere. Null: there is no such file, and such a bot needs none.
 * Throws a `ConfigError` that lists all mistakes with their lines.
 */
export function readBotConfig(file: string): BotConfig | null {
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError(missingFileMessage(file, error as NodeJS.ErrnoException));
  }
  return parse(text, file, botConfigSchema, () => []);
}

/** Checks the text of a config file; `file` is what errors call it. Paths stay as written. */
export function parseConfig(text: string, file: string): Config {
  return parse(text, file, configSchema, configReferences);
}

function parse<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
  references: (raw: unknown) => Issue[],
): T {
  const { document, lines, mistake } = parseYaml(text);
  if (mistake !== null) throw configError(file, [{ key: '', ...mistake }]);
  const raw: unknown = document.toJS();
  const parsed = schema.safeParse(raw ?? {}, { reportInput: true });
  const issues = [...(parsed.success ? [] : parsed.error.issues.flatMap(spread)), ...references(raw)];
  if (issues.length > 0) {
    const mistakes = issues.map((issue) => ({
      line: lineOf(document, lines, issue.path),
      key: z.core.toDotPath(issue.path.filter((part) => typeof part !== 'symbol')),
      message: issue.message,
    }));
    throw configError(
      file,
      mistakes.toSorted((a, b) => a.line - b.line),
    );
  }
  return parsed.data as T;
}

interface Issue {
  path: PropertyKey[];
  message: string;
}

/** Each unknown key becomes a mistake of its own, at its own line; a wrong value is quoted. */
function spread(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: unknownKey(issue.path, key) }));
  }
  const message = issue.message.replace(/^Invalid (input|option): /, '').replace(/, received \w+$/, '');
  const isMissing = issue.input === undefined && issue.code !== 'custom';
  const end = isMissing ? ', but it is missing' : `${got(issue.input)}${hint(issue)}`;
  return [{ path: issue.path, message: message + end }];
}

/** How the value was probably meant. */
function hint(issue: z.core.$ZodIssue): string {
  const { input } = issue;
  if (issue.code === 'custom') {
    const meant: unknown = issue.params?.['meant'];
    return typeof meant === 'string' ? `; did you mean ${JSON.stringify(meant)}?` : '';
  }
  if (issue.code === 'invalid_value' && typeof input === 'string') {
    return didYouMean(
      input,
      issue.values.filter((value) => typeof value === 'string'),
    );
  }
  const isUnquoted = typeof input === 'number' || typeof input === 'boolean';
  return issue.code === 'invalid_type' && issue.expected === 'string' && isUnquoted
    ? `: put it in 'single quotes'`
    : '';
}

function got(input: unknown): string {
  if (input === null) return ', but nothing stands there';
  return typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean'
    ? `, got ${JSON.stringify(input).slice(0, 80)}`
    : '';
}

/** The line of a key; of the nearest thing around it when the key itself is absent. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === part,
      );
      if (pair === undefined) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value as Node | null;
    } else {
      const next = (node as { get?: (key: unknown, keep: boolean) => unknown } | null)?.get?.(part, true);
      if (next === undefined || next === null) break;
      node = next as Node;
      offset = node.range?.[0] ?? offset;
    }
  }
  return lines.linePos(offset).line;
}

function configError(file: string, mistakes: ConfigMistake[]): ConfigError {
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  const list = mistakes.map(
    ({ line, key, message }) => `  line ${line}${key === '' ? '' : `, ${key}`}: ${message}`,
  );
  return new ConfigError([`${file} has ${count}:`, ...list].join('\n'), mistakes);
}

function withAbsolutePaths(config: Config, folder: string): Config {
  const from = (path: string) => resolve(folder, path);
  return {
    ...config,
    projects: config.projects.map((project) => ({
      ...project,
      servers: project.servers.map((server) => ({
        ...server,
        ...(server.logs === undefined ? {} : { logs: from(server.logs) }),
        ...(server.playersDb === undefined ? {} : { playersDb: from(server.playersDb) }),
        schedules: server.schedules.map((schedule) =>
          schedule.source === 'messages.xml' ? { ...schedule, file: from(schedule.file) } : schedule,
        ),
      })),
      banlists: project.banlists.map((banlist) => ({
        ...banlist,
        sources: banlist.sources.map((source) => ({ ...source, file: from(source.file) })),
      })),
    })),
  };
}

/** JSON Schema of the config file, for editors. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' });
}

/** What comes from environment variables and `.env`. */
export interface Environment {
  configFile: string;
  /** Folder of the databases. */
  dataFolder: string;
  logLevel: string;
  /** Null: the bot is off. */
  discordToken: string | null;
  /** Null: Discord's own. */
  discordApiUrl: string | null;
  /** A service elsewhere from which the bot reads; null: the embedded one. */
  remoteService: { apiUrl: string; applicationId: string; secret: string } | null;
}

const blankIsAbsent = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

const environmentSchema = z.object({
  OUTPOST_CONFIG: blankIsAbsent(z.string().default('config/outpost.yaml')),
  OUTPOST_DATA: blankIsAbsent(z.string().default('data')),
  LOG_LEVEL: blankIsAbsent(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
  DISCORD_TOKEN: blankIsAbsent(z.string().trim().optional()),
  DISCORD_API_URL: blankIsAbsent(z.url({ protocol: /^https?$/ }).optional()),
  OUTPOST_API_URL: blankIsAbsent(z.url({ protocol: /^https?$/ }).optional()),
  OUTPOST_APPLICATION_ID: blankIsAbsent(z.string().optional()),
  OUTPOST_SECRET: blankIsAbsent(z.string().optional()),
});

/**
 * Reads `.env` of the working folder, if there is one, into `process.env`, without overriding what is set.
 * @returns what the owner should know of it; no value is quoted
 */
export function loadDotEnv(): string[] {
  const { variables, warnings } = readDotEnv('.env');
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
  return [...warnings, ...misspeltVariables(process.env)];
}

/** Variables that set nothing, while the one that was probably meant is not set. */
export function misspeltVariables(variables: NodeJS.ProcessEnv): string[] {
  const known = Object.keys(environmentSchema.shape);
  return Object.keys(variables).flatMap((name) => {
    const meant = known.includes(name) ? null : suggestion(name, known);
    if (meant === null || Boolean(variables[meant])) return [];
    return [`the environment (or .env) has ${name}, which Outpost does not know; did you mean ${meant}?`];
  });
}

/** Checks the environment. No value is quoted in an error: it may be a secret. */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const parsed = environmentSchema.safeParse(variables);
  if (!parsed.success) {
    const list = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(['The environment has a mistake:', ...list].join('\n'));
  }
  const { data } = parsed;
  const remote = [data.OUTPOST_API_URL, data.OUTPOST_APPLICATION_ID, data.OUTPOST_SECRET] as const;
  const [apiUrl, applicationId, secret] = remote;
  if (remote.some((part) => part !== undefined) && remote.some((part) => part === undefined)) {
    throw new ConfigError(
      'OUTPOST_API_URL, OUTPOST_APPLICATION_ID and OUTPOST_SECRET belong together: set all three or none',
    );
  }
  return {
    configFile: data.OUTPOST_CONFIG,
    dataFolder: resolve(data.OUTPOST_DATA),
    logLevel: data.LOG_LEVEL,
    discordToken: data.DISCORD_TOKEN ?? null,
    discordApiUrl: data.DISCORD_API_URL ?? null,
    remoteService:
      apiUrl === undefined || applicationId === undefined || secret === undefined
        ? null
        : { apiUrl, applicationId, secret },
  };
}
