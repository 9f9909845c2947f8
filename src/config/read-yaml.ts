import {
  LineCounter,
  isMap,
  isPair,
  isScalar,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
} from 'yaml';
import { type ConfigError, errorOf } from './error.ts';

/** A file of the config as it is written. */
export interface SourceFile {
  /** Its name in errors. */
  file: string;
  /** What it says, as plain data. */
  value: unknown;
  /** The line of a key, or of its nearest parent if the key is missing. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** Reads the text of a file. @throws ConfigError with the first mistake of its YAML: others often follow from it */
export function readYaml(text: string, file: string): SourceFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const errorAt = (offset: number, message: string): ConfigError => {
    const { line, col } = lines.linePos(offset);
    // Behind a colon or backslash, some messages quote the file, and what they quote may be a secret.
    const [problem] = message.split(/: |\s*\\/);
    const found = `not readable as YAML (docs/configuration.md says how to write it): ${problem}, at column ${col}`;
    return errorOf([{ file, line, key: '', message: found }]);
  };
  // Warnings count too: a text that begins with ! is an unknown tag for YAML, and would be lost.
  const [mistake] = [...document.errors, ...document.warnings];
  if (mistake !== undefined) throw errorAt(mistake.pos[0], mistake.message);
  try {
    return { file, value: document.toJS(), lineOf: (path) => lineOf(document, lines, path) };
  } catch (error) {
    // Aliases (*name) that stand for nothing, or for too much.
    throw errorAt(offsetOfAlias(document), (error as Error).message);
  }
}

/** The first alias that stands for nothing, or else the first one. */
function offsetOfAlias(document: Document): number {
  const aliases: Alias[] = [];
  visit(document, { Alias: (_, node) => void aliases.push(node) });
  const alias = aliases.find((alias) => alias.resolve(document) === undefined) ?? aliases[0];
  return alias?.range?.[0] ?? 0;
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
