import {
  LineCounter,
  isAlias,
  isScalar,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml';

/** A mistake in a text that is not valid YAML, and how to correct it. */
interface YamlMistake {
  /** From 1. */
  line: number;
  message: string;
}

interface ParsedYaml {
  document: Document;
  lines: LineCounter;
  /** What it says, as plain data; undefined where there is a mistake. */
  value: unknown;
  mistake: YamlMistake | null;
}

/** Parses a config's text. Only the first mistake is reported: one mistake confuses a parser in several places. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const mistake = noBreakSpace(text) ?? syntaxMistake(text, document, lines) ?? cutText(text);
  if (mistake !== null) return { document, lines, value: undefined, mistake };
  try {
    return { document, lines, value: document.toJS(), mistake: null };
  } catch (error) {
    return { document, lines, value: undefined, mistake: unusable(error as Error, document, lines) };
  }
}

function syntaxMistake(text: string, document: Document, lines: LineCounter): YamlMistake | null {
  const [error] = mistakesIn(document);
  const offset = error?.pos[0] ?? unresolvedAlias(document);
  if (offset === null) return null;
  const { line } = lines.linePos(offset);
  const isUnclosed = error?.code === 'BAD_INDENT' || error?.code === 'MISSING_CHAR';
  const message = (isUnclosed ? null : quotedForm(text, line)) ?? `not readable as YAML: ${remedyOf(error)}`;
  return { line, message };
}

/** A valid text that the parser makes no value of: its aliases stand for too much, or merge (`<<`) what is no map. */
function unusable(error: Error, document: Document, lines: LineCounter): YamlMistake {
  const isAliases = error.message.startsWith('Excessive alias count');
  const offset = firstNode(document, isAliases ? isAlias : (node) => isScalar(node) && node.source === '<<');
  const message = isAliases
    ? 'more than 100 aliases (*name) of one anchor (&name), or as many by aliases of aliases: write out what they stand for'
    : `not readable as YAML: ${error.message}`;
  return { line: lines.linePos(offset).line, message };
}

/** Where the first node of a kind begins; 0: there is none. */
function firstNode(document: Document, matches: (node: unknown) => boolean): number {
  let offset = 0;
  visit(document, (_key, node) => {
    if (!matches(node)) return undefined;
    offset = (node as Node).range?.[0] ?? 0;
    return visit.BREAK;
  });
  return offset;
}

/** A text that begins with ! is a tag of YAML, which it only warns of. */
const mistakesIn = ({ errors, warnings }: Document): readonly (YAMLParseError | YAMLWarning)[] => [
  ...errors,
  ...warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED'),
];

/** What web pages and chats put in the place of blanks, and YAML takes for a part of the key. */
function noBreakSpace(text: string): YamlMistake | null {
  const index = text.split('\n').findIndex((row) => /^[ \t]*\u00A0/.test(row));
  if (index < 0) return null;
  const message =
    'expected spaces at the start of the line, found a no-break space, as text copied from a web page or chat has';
  return { line: index + 1, message };
}

/** Offset of an alias (`*name`) without an anchor: the document then has no error, but no value either. */
function unresolvedAlias(document: Document): number | null {
  let offset: number | null = null;
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      offset = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

function remedyOf(error: YAMLParseError | YAMLWarning | undefined): string {
  if (error === undefined) return 'a text that starts with * must be in single quotes';
  if (error.code === 'BAD_INDENT' && /same column/.test(error.message)) return indentation;
  return (
    remedies[error.code] ?? error.message.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? ''
  );
}

const indentation =
  'expected "key: value" with a blank after the colon, every key of a block in the same column. Check this line and those ' +
  'beside it';

const special = 'a text with special characters must be in single quotes';

const remedies: Partial<Record<YAMLParseError['code'], string>> = {
  BAD_INDENT: 'expected a closing bracket ] or }; the one that opens is on this line or above',
  BLOCK_AS_IMPLICIT_KEY: indentation,
  DUPLICATE_KEY: 'this key is there twice; expected it once',
  MISSING_CHAR: 'a quote, bracket or colon is missing at the end of this line or above it',
  MULTILINE_IMPLICIT_KEY: indentation,
  RESOURCE_EXHAUSTION: 'too many levels of brackets or lists within each other',
  MULTIPLE_DOCS: 'expected one document: remove the line "---" in the middle',
  TAB_AS_INDENT: 'expected spaces at the start of the line, found a tab',
  TAG_RESOLVE_FAILED: 'a text that starts with ! must be in single quotes',
  BAD_ALIAS: special,
  UNEXPECTED_TOKEN: special,
};

const keyAndValue = /^(\s*(?:- )?)([\w-]+): +(.*?)(?:\s+#\s.*)?$/;
/** A pair of `{ key: value, … }`. */
const pairInBraces = /(?<=[{,] *)([\w-]+): +([^,{}]*[^,{}\s])(?=\s*[,}])/g;
/** Braces or brackets around a whole value: what is in them is no text. */
const isList = (value: string): boolean => /^(?:\{.*\}|\[.*\])$/.test(value);
const isSecret = /token|secret|pass|privateKey/i;
/** A text without any of these characters cannot be the mistake, unless it begins like an entry of a list. */
const specialCharacter = /[^\p{L}\p{N} ._/-]|^- /u;

interface Pair {
  key: string;
  value: string;
  /** Where it starts in its line. */
  at: number;
  length: number;
}

/** The keys of a line with texts as values. */
function pairsIn(row: string): Pair[] {
  const [, indent = '', key = '', value = ''] = keyAndValue.exec(row) ?? [];
  const whole = { key, value, at: indent.length, length: row.length - indent.length };
  const inBraces = Array.from(
    row.matchAll(pairInBraces),
    ({ 0: pair, 1: name = '', 2: text = '', index }) => ({
      key: name,
      value: text,
      at: index,
      length: pair.length,
    }),
  );
  return [...inBraces, ...(isList(value) ? [] : [whole])];
}

/** A text with a meaning in YAML, written in single quotes, if that makes the line valid. */
function quotedForm(text: string, line: number): string | null {
  const rows = text.split('\n');
  const row = (rows[line - 1] ?? '').trimEnd();
  for (const { key, value, at, length } of pairsIn(row)) {
    if (!specialCharacter.test(value) || isSecret.test(key)) continue;
    const [, inside = value] = /^["'](.*)["']$/.exec(value) ?? [];
    const quoted = `${key}: '${inside.replaceAll("'", "''")}'`;
    const corrected = rows.with(line - 1, row.slice(0, at) + quoted + row.slice(at + length)).join('\n');
    if (faults(corrected) < faults(text))
      return `expected ${quoted} (in single quotes), got ${key}: ${value}`;
  }
  return null;
}

function faults(text: string): number {
  const document = parseDocument(text);
  return mistakesIn(document).length + (unresolvedAlias(document) === null ? 0 : 1);
}

const textKeys = /^\s*(?:- )?(name|title|description): +([^'"|>\s].*)$/;

/** A name such as `Northwood #2`, whose end YAML reads as a comment. */
function cutText(text: string): YamlMistake | null {
  for (const [index, row] of text.split('\n').entries()) {
    const [, key, value = ''] = textKeys.exec(row.trimEnd()) ?? [];
    if (key === undefined || !/(?:^|\s)#\S/.test(value)) continue;
    const quoted = `${key}: '${value.replaceAll("'", "''")}'`;
    const why = 'a # after a blank begins a comment; a comment has a blank after its #';
    return {
      line: index + 1,
      message: `expected ${quoted} (in single quotes), got ${key}: ${value}: ${why}`,
    };
  }
  return null;
}
