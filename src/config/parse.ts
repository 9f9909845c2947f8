import { isMap, isPair, isScalar, type Document, type LineCounter, type Node } from 'yaml';
import { z } from 'zod';
import { ConfigError, type ConfigMistake } from './error.ts';
import { type KnownGames, unknownGames } from './games.ts';
import { unknownKey } from './keys.ts';
import { configReferences, type Issue } from './references.ts';
import { botConfigSchema, configSchema, type BotConfig, type Config } from './schema.ts';
import { didYouMean } from './suggestion.ts';
import { parseYaml } from './yaml-mistake.ts';

/**
 * Checks the text of a config file; `file` is what errors call it. Paths stay as written.
 * @param games null: `game:` is not checked
 * @throws ConfigError with every mistake and its line
 */
export function parseConfig(text: string, file: string, games: KnownGames | null = null): Config {
  return parse(text, file, configSchema, (raw) => [
    ...configReferences(raw),
    ...(games === null ? [] : unknownGames(raw, games)),
  ]);
}

/** The same for the config of a bot that reads a service elsewhere. */
export function parseBotConfig(text: string, file: string): BotConfig {
  return parse(text, file, botConfigSchema, () => []);
}

function parse<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
  crossChecks: (raw: unknown) => Issue[],
): T {
  const { document, lines, mistake } = parseYaml(text);
  if (mistake !== null) throw configError(file, [{ key: '', ...mistake }]);
  const raw: unknown = document.toJS();
  const parsed = schema.safeParse(raw ?? {}, { reportInput: true });
  const issues = [...(parsed.success ? [] : parsed.error.issues.flatMap(issuesOf)), ...crossChecks(raw)];
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

/** Each unknown key becomes a mistake of its own, at its own line; a wrong value is quoted. */
function issuesOf(issue: z.core.$ZodIssue): Issue[] {
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
