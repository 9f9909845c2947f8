import { isDeepStrictEqual } from 'node:util';
import { CommandFailure } from '../output.ts';
import { Document, isCollection, isMap, isScalar, isSeq, parseDocument, type Node, type YAMLMap } from 'yaml';

type Path = readonly (string | number)[];

const format = { lineWidth: 0, singleQuote: true, flowCollectionPadding: true };

/**
 * Adds an entry to a list of a YAML text, which may be empty or missing. All other lines stay as they are, unless the list
 * is written in one line, or oddly: then comments, order and values stay.
 * @param path of the list; the map that it is in exists
 * @param decorate adds comments and styles to the entry
 * @throws CommandFailure, which says what to add by hand
 */
export function withEntry(
  text: string,
  path: Path,
  entry: Readonly<Record<string, unknown>>,
  decorate: (entry: YAMLMap) => void = () => undefined,
): string {
  const list = new Document([entry]);
  const added = list.getIn([0], true) as YAMLMap;
  decorate(added);
  const lines = list.toString(format);
  const wanted = valueWith(text, path, list.toJS() as unknown[]);
  const candidates = [() => insertLines(text, path, lines), () => rewritten(text, path, added)];
  for (const candidate of candidates) {
    const result = candidate();
    if (result !== null && isDeepStrictEqual(valueOf(result), wanted)) return result;
  }
  // Such as a list with an anchor, which is somewhere else as well.
  throw new CommandFailure(
    `The config is written so that "${path.join('.')}" has to be changed by hand. Add:\n${lines}`,
  );
}

/** What the text has to mean. */
function valueWith(text: string, path: Path, added: unknown[]): unknown {
  // Without shared objects, as anchors make them.
  const value = JSON.parse(JSON.stringify(parseDocument(text).toJS())) as Record<string, unknown>;
  const parent = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, value);
  const key = String(path.at(-1));
  parent[key] = [...((parent[key] as unknown[] | null | undefined) ?? []), ...added];
  return value;
}

function rewritten(text: string, path: Path, added: YAMLMap): string {
  const document = parseDocument(text);
  if (isSeq(document.getIn(path, true))) document.addIn(path, added);
  else document.setIn(path, [added]);
  return document.toString(format);
}

/** Null: not valid. */
function valueOf(text: string): unknown {
  const document = parseDocument(text);
  return document.errors.length > 0 ? null : document.toJS();
}

/** Null: the list is written in a form that no line can be added to. */
function insertLines(text: string, path: Path, lines: string): string | null {
  const document = parseDocument(text);
  const parent = document.getIn(path.slice(0, -1), true);
  const list = document.getIn(path, true);
  const key = String(path.at(-1));
  if (!isMap(parent) || parent.flow === true) return null;
  if (isSeq(list) && list.flow !== true && list.items.length > 0)
    return insertAfter(text, list, lines, columnOf(text, list));
  const column = columnOf(text, parent);
  if (!parent.has(key)) return insertAfter(text, parent, `${key}:\n${indented(lines, 2)}`, column);
  // `servers: []`, or a key without a value.
  const isEmpty = isSeq(list) ? list.items.length === 0 : isScalar(list) && list.value === null;
  if (!isEmpty) return null;
  const [from, to] = (list as Node).range as [number, number, number];
  const emptied = `${text.slice(0, from).trimEnd()}${text.slice(to)}`;
  const at = lineEnd(emptied, text.slice(0, from).trimEnd().length);
  return insertAt(emptied, at, indented(lines, column + 2));
}

/** Behind the last line of a block, the comments within it included. */
function insertAfter(text: string, block: Node, lines: string, column: number): string {
  let at = lineEnd(text, lastOffset(block));
  for (;;) {
    const next = /^(?:[ \t]*\r?\n)*([ \t]*)#.*(?:\r?\n|$)/.exec(text.slice(at));
    if (next === null || (next[1] as string).length <= column) break;
    at += next[0].length;
  }
  return insertAt(text, at, indented(lines, column));
}

/** Where the last value in a node ends. */
function lastOffset(node: Node): number {
  const last = isCollection(node) ? node.items.at(-1) : undefined;
  const value = isMap(node) ? (last as YAMLMap['items'][number] | undefined)?.value : last;
  const key = isMap(node) ? (last as YAMLMap['items'][number] | undefined)?.key : undefined;
  const inner = value ?? key ?? null;
  const isBlock = isCollection(node) && node.flow !== true && inner !== null;
  return isBlock ? lastOffset(inner as Node) : (node.range?.[1] ?? 0);
}

/** The start of the line after an offset. */
function lineEnd(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset;
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}

function columnOf(text: string, node: Node): number {
  const offset = node.range?.[0] ?? 0;
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

const indented = (lines: string, columns: number): string =>
  lines.replaceAll(/^(?=.)/gm, ' '.repeat(columns));

function insertAt(text: string, at: number, lines: string): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.slice(0, at);
  const start = before === '' || before.endsWith('\n') ? '' : lineBreak;
  return `${before}${start}${lines.replaceAll('\n', lineBreak)}${text.slice(at)}`;
}
