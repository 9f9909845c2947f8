import { LineCounter, parseDocument, visit, type Document, type YAMLParseError } from 'yaml';

/** A mistake in a text that is not valid YAML, and how to correct it. */
interface YamlMistake {
  /** From 1. */
  line: number;
  message: string;
}

/** Parses a config's text. Only the first mistake is reported: one mistake confuses a parser in several places. */
export function parseYaml(text: string): {
  document: Document;
  lines: LineCounter;
  mistake: YamlMistake | null;
} {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  const offset = error?.pos[0] ?? unresolvedAlias(document);
  if (offset === null) return { document, lines, mistake: cutText(text) };
  const { line } = lines.linePos(offset);
  const isUnclosed = error?.code === 'BAD_INDENT' || error?.code === 'MISSING_CHAR';
  const message = (isUnclosed ? null : quotedForm(text, line)) ?? `not readable as YAML: ${remedyOf(error)}`;
  return { document, lines, mistake: { line, message } };
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

function remedyOf(error: YAMLParseError | undefined): string {
  if (error === undefined) return 'a text that starts with * must be in single quotes';
  if (error.code === 'BAD_INDENT' && /same column/.test(error.message)) return indentation;
  return (
    remedies[error.code] ?? error.message.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? ''
  );
}

const indentation =
  'expected "key: value" with a blank after the colon, every key of a block in the same column. Check this line and those ' +
  'beside it';

const remedies: Partial<Record<YAMLParseError['code'], string>> = {
  BAD_INDENT: 'expected a closing bracket ] or }; the one that opens is on this line or above',
  BLOCK_AS_IMPLICIT_KEY: indentation,
  DUPLICATE_KEY: 'this key is there twice; expected it once',
  MISSING_CHAR: 'a quote, bracket or colon is missing at the end of this line or above it',
  MULTILINE_IMPLICIT_KEY: indentation,
  MULTIPLE_DOCS: 'expected one document: remove the line "---" in the middle',
  TAB_AS_INDENT: 'expected spaces at the start of the line, found a tab',
};

const keyAndValue = /^(\s*(?:- )?)([\w-]+): +(.*?)(?:\s+#\s.*)?$/;
const isSecret = /token|secret|pass|privateKey/i;
/** A text without any of these characters cannot be the mistake. */
const specialCharacter = /[^\p{L}\p{N} ._/-]/u;

/** A text with a meaning in YAML, written in single quotes, if that makes the line valid. */
function quotedForm(text: string, line: number): string | null {
  const rows = text.split('\n');
  const row = (rows[line - 1] ?? '').trimEnd();
  const [, indent = '', key = '', value = ''] = keyAndValue.exec(row) ?? [];
  if (!specialCharacter.test(value) || isSecret.test(key)) return null;
  const [, inside = value] = /^["'](.*)["']$/.exec(value) ?? [];
  const quoted = `${key}: '${inside.replaceAll("'", "''")}'`;
  const corrected = rows.with(line - 1, indent + quoted).join('\n');
  return faults(corrected) < faults(text)
    ? `expected ${quoted} (in single quotes), got ${key}: ${value}`
    : null;
}

function faults(text: string): number {
  const document = parseDocument(text);
  return document.errors.length + (unresolvedAlias(document) === null ? 0 : 1);
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
