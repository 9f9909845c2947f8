import {
  LineCounter,
  isAlias,
  isMap,
  isPair,
  isScalar,
  parseDocument,
  visit,
  type Document,
  type Node,
} from 'yaml';
import { type ConfigMistake, ConfigError } from './error.ts';

/** A file of the config as it is written. */
export interface SourceFile {
  /** Its name in errors. */
  file: string;
  /** What it says, as plain data. */
  value: unknown;
  /** The line of a key, or of its nearest parent if the key is missing. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** Reads the text of a file. @throws ConfigError with the first mistake of its YAML: one confuses a parser in several places */
export function readYaml(text: string, file: string): SourceFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  // A text that begins with ! is a tag of YAML, which it only warns of.
  const [mistake] = [...document.errors, ...document.warnings];
  const refuse = (line: number, problem: string): ConfigError =>
    configError(file, [
      {
        line,
        key: '',
        message: `not readable as YAML (docs/configuration.md says how to write it): ${safe(problem, lineAt(text, line))}`,
      },
    ]);
  if (mistake !== undefined) throw refuse(lines.linePos(mistake.pos[0]).line, mistake.message);
  try {
    return { file, value: document.toJS(), lineOf: (path) => lineOf(document, lines, path) };
  } catch (error) {
    // Aliases (*name) that stand for nothing, or for too much.
    throw refuse(lines.linePos(firstAlias(document)).line, (error as Error).message);
  }
}

const lineAt = (text: string, line: number): string => text.split('\n')[line - 1] ?? '';

const isSecret = /token|secret|pass|privateKey/i;

/** YAML's message with the line and a caret, but for a line that may hold a secret. */
const safe = (problem: string, line: string): string =>
  isSecret.test(line)
    ? 'check the quotes, brackets and blanks of this line'
    : problem
        .trim()
        .replace(/ at line \d+, column \d+:\s*\n+/, ':\n')
        .replaceAll('\n', '\n    ');

function firstAlias(document: Document): number {
  let offset = 0;
  visit(document, (_key, node) => {
    if (!isAlias(node)) return undefined;
    offset = node.range?.[0] ?? 0;
    return visit.BREAK;
  });
  return offset;
}

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

/** The error for mistakes in a file, in the order of their lines. */
export function configError(file: string, mistakes: readonly Omit<ConfigMistake, 'file'>[]): ConfigError {
  const sorted = mistakes.toSorted((a, b) => a.line - b.line);
  const count = sorted.length === 1 ? 'a mistake' : `${sorted.length} mistakes`;
  const list = sorted.map(
    ({ line, key, message }) => `  line ${line}${key === '' ? '' : `, ${key}`}: ${message}`,
  );
  return new ConfigError(
    [`${file} has ${count}:`, ...list].join('\n'),
    sorted.map((mistake) => ({ file, ...mistake })),
  );
}

/** Several files' errors as one. */
export const joined = (errors: readonly ConfigError[]): ConfigError =>
  new ConfigError(
    errors.map(({ message }) => message).join('\n'),
    errors.flatMap(({ mistakes }) => mistakes),
  );
