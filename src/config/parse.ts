import { isMap, isPair, isScalar, type Document, type LineCounter, type Node } from 'yaml';
import { z } from 'zod';
import { ConfigError, type ConfigMistake } from './error.ts';
import { type KnownGames, unknownGames } from './games.ts';
import { unknownKey } from './keys.ts';
import type { Issue } from './raw-config.ts';
import { configReferences, serversOfBanFiles } from './references.ts';
import {
  type BotConfig,
  botConfigSchema,
  type Config,
  configJsonSchema,
  configSchema,
  type ProjectFile,
  projectFileJsonSchema,
  projectFileSchema,
} from './schema.ts';
import { mayHoldSecret } from './schema/secret.ts';
import { type SecretSource, withSecrets } from './secrets.ts';
import { didYouMean } from './suggestion.ts';
import { parseYaml } from './yaml-mistake.ts';

/** There are none. */
const noSecrets: SecretSource = {
  variable: () => undefined,
  file: () => {
    throw new Error('no secrets are read');
  },
};

/** A file of the config as it is written. */
export interface RawFile {
  /** Its name in errors. */
  file: string;
  raw: unknown;
  /** The line of a key, or of its nearest parent if the key is missing. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** A file of the config that is valid. */
export interface Reading<T> extends RawFile {
  value: T;
}

/** What a file is checked against. */
export interface Surroundings {
  /** Null: `game:` is not checked. */
  games: KnownGames | null;
  secrets: SecretSource;
}

/**
 * Checks the text of a config file; `file` is its name in errors. Paths are not resolved.
 * @param games null: `game:` is not checked
 * @throws ConfigError with every mistake and its line
 */
export function parseConfig(
  text: string,
  file: string,
  games: KnownGames | null = null,
  secrets: SecretSource = noSecrets,
): Config {
  return parseMainFile(readYaml(text, file), { games, secrets });
}

/** Reads a file as it is written. @throws ConfigError when it is no YAML */
export function readYaml(text: string, file: string): RawFile {
  const { document, lines, value: raw, mistake } = parseYaml(text);
  if (mistake !== null) throw configError(file, [{ key: '', ...mistake }]);
  return { file, raw, lineOf: (path) => lineOf(document, lines, path) };
}

/** Reads the config file where projects may have files of their own beside it. @throws ConfigError with every mistake and its line */
export function parseMainFile(
  source: RawFile,
  { games, secrets }: Surroundings,
  elsewhere: readonly ProjectFile[] = [],
): Config {
  return parse<Config>(source, {
    schema: configSchema,
    jsonSchema: configJsonSchema,
    crossChecks: (raw) => crossChecks(raw, games, elsewhere),
    banFileServers: serversOfBanFiles,
    secrets,
  }).value;
}

const crossChecks = (
  raw: unknown,
  games: KnownGames | null,
  elsewhere: readonly ProjectFile[] = [],
): Issue[] => [...configReferences(raw, elsewhere), ...(games === null ? [] : unknownGames(raw, games))];

/** Reads the file of a project. @throws ConfigError with every mistake and its line */
export function parseProjectFile(
  text: string,
  file: string,
  { games, secrets }: Surroundings,
): Reading<ProjectFile> {
  const inConfig = (raw: unknown) => ({ projects: [raw] });
  return parse<ProjectFile>(readYaml(text, file), {
    schema: projectFileSchema,
    jsonSchema: projectFileJsonSchema,
    crossChecks: (raw) =>
      crossChecks(inConfig(raw), games).map(({ path, message }) => ({
        path: path[0] === 'projects' ? path.slice(2) : path,
        message,
      })),
    banFileServers: (raw) => serversOfBanFiles(inConfig(raw)),
    secrets,
  });
}

/** Reads the config of a bot on a remote service. @throws ConfigError with every mistake and its line */
export function parseBotConfig(text: string, file: string): BotConfig {
  return parse(readYaml(text, file), {
    schema: botConfigSchema,
    jsonSchema: configJsonSchema,
    crossChecks: () => [],
    banFileServers: () => new Set(),
    secrets: noSecrets,
  }).value;
}

interface Rules<T> {
  schema: z.ZodType<T>;
  jsonSchema: () => object;
  crossChecks: (raw: unknown) => Issue[];
  /** The ids of servers whose secrets ban files need. */
  banFileServers: (raw: unknown) => ReadonlySet<unknown>;
  secrets: SecretSource;
}

function parse<T>(source: RawFile, rules: Rules<T>): Reading<T> {
  const { raw } = source;
  const parsed = rules.schema.safeParse(raw ?? {}, { reportInput: true });
  const completed = parsed.success
    ? withSecrets(parsed.data, rules.secrets, rules.banFileServers(raw))
    : null;
  const wrong = parsed.success
    ? []
    : parsed.error.issues.flatMap((issue) => issuesOf(issue, rules.jsonSchema));
  const issues = [...wrong, ...rules.crossChecks(raw), ...(completed?.issues ?? [])];
  if (completed === null || issues.length > 0) throw mistakesIn(source, issues);
  return { ...source, value: completed.value };
}

/** The error for issues in a file, in the order of their lines. */
export function mistakesIn({ file, lineOf: lineAt }: RawFile, issues: readonly Issue[]): ConfigError {
  const mistakes = issues.map(({ path, message }) => ({
    line: lineAt(path),
    key: z.core.toDotPath(path.filter((part) => typeof part !== 'symbol')),
    message,
  }));
  return configError(
    file,
    mistakes.toSorted((a, b) => a.line - b.line),
  );
}

/** Each unknown key becomes a mistake at its own line; a wrong value is quoted. */
function issuesOf(issue: z.core.$ZodIssue, jsonSchema: () => object): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    const schema = jsonSchema();
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: unknownKey(schema, issue.path, key),
    }));
  }
  if (mayHoldSecret(issue.message)) return [{ path: issue.path, message: issue.message }];
  const isPlain = issue.code === 'invalid_type' && issue.message.startsWith('Invalid input');
  const message = isPlain
    ? `expected ${kinds[issue.expected] ?? issue.expected}`
    : (boundOf(issue) ??
      issue.message.replace(/^Invalid (input|option): /, '').replace(/, received \w+$/, ''));
  const isMissing = issue.input === undefined && issue.code !== 'custom';
  const end = isMissing ? ', but it is missing' : `${got(issue.input)}${hint(issue)}`;
  return [{ path: issue.path, message: message + end }];
}

/** A limit of which the schema says nothing else. */
function boundOf(issue: z.core.$ZodIssue): string | null {
  if (!/^Too (?:small|big): /.test(issue.message)) return null;
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return null;
  const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  if (issue.origin === 'string') return `expected a text of ${bound} characters`;
  if (issue.origin === 'array') return `expected ${bound} entries`;
  return `expected a number of ${bound}`;
}

/** What a value has to be, for readers who know no YAML. */
const kinds: Readonly<Record<string, string>> = {
  array: 'a list, each entry on a line of its own that starts with "- "',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'keys with values, on the lines below and further to the right',
  record: 'keys with values, on the lines below and further to the right',
  string: 'a text',
};

/** Suggests the value that was probably meant. */
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
  const isNumber = issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected);
  if (isNumber && typeof input === 'string' && /^\d+$/.test(input)) return ': leave out the quotes';
  const isUnquoted = typeof input === 'number' || typeof input === 'boolean';
  return issue.code === 'invalid_type' && issue.expected === 'string' && isUnquoted
    ? `: put it in 'single quotes'`
    : '';
}

function got(input: unknown): string {
  if (input === null) return ', but the value is empty';
  // An id of Discord without quotes: as a number, its last digits are others.
  if (Number.isInteger(input) && !Number.isSafeInteger(input)) return '';
  return typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean'
    ? `, got ${JSON.stringify(input).slice(0, 80)}`
    : '';
}

/** The line of a key, or of its nearest parent if the key is missing. */
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

function configError(file: string, mistakes: readonly Omit<ConfigMistake, 'file'>[]): ConfigError {
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  const list = mistakes.map(
    ({ line, key, message }) => `  line ${line}${key === '' ? '' : `, ${key}`}: ${message}`,
  );
  return new ConfigError(
    [`${file} has ${count}:`, ...list].join('\n'),
    mistakes.map((mistake) => ({ file, ...mistake })),
  );
}
