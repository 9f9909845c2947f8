import { existsSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { misnamed, readTextIfThere } from './text-file.ts';

/** The variables of a `.env` file, none when it is missing. Warnings quote no value: it may be a secret. */
export function readDotEnv(file: string): { variables: Record<string, string>; warnings: string[] } {
  const text = readTextIfThere(file);
  if (text === null) {
    const warnings = existsSync(`${file}.txt`) ? [misnamed(`${file}.txt`, file)] : [];
    return { variables: {}, warnings };
  }
  const { variables, strays } = parseDotEnv(text);
  return { variables, warnings: [...lostLines(file, text, strays), ...openQuotes(file, text)] };
}

/** Lines without "=", as a heading without "#", are strays: Node.js takes one as the beginning of the next name. */
export function parseDotEnv(text: string): {
  variables: Record<string, string>;
  strays: ReadonlySet<string>;
} {
  const strays = new Set<string>();
  const variables = Object.entries(parseEnv(text) as Record<string, string>).map(([name, value]) => {
    const lines = name.split('\n').map((line) => line.trim());
    const own = lines.pop() ?? '';
    for (const line of lines) if (line !== '' && !line.startsWith('#')) strays.add(line);
    return [own.replace(/^export\s+/, ''), value];
  });
  return { variables: Object.fromEntries(variables), strays };
}

/** Lines of which something else is read than they say, silently. */
function lostLines(file: string, text: string, strays: ReadonlySet<string>): string[] {
  return text.split('\n').flatMap((line, index) => {
    const isStray = strays.has(line.trim());
    const mistake = mistakeIn(line) ?? (isStray ? 'expected NAME=…, so this line is not read' : null);
    return mistake === null ? [] : [`${file}, line ${index + 1}: ${mistake}`];
  });
}

const notRead = /^\s*([A-Z][A-Z0-9_]*)(?::|[ \t]+[^=\s])/;
/** As Windows, PowerShell and compose.yaml set variables. */
const otherSyntax = /^\s*(?:set\s+"?|\$env:|-\s+)([A-Za-z_]\w*)\s*=/i;
/** A quoted value, and what follows it besides a comment. */
const oneQuoted = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(["'`])(.*?)\2\s*(?:#.*|([^#\s].*))?$/;

function mistakeIn(line: string): string | null {
  const name = (notRead.exec(line) ?? otherSyntax.exec(line))?.[1];
  if (name !== undefined) return `expected ${name}=…, so this line is not read`;
  const [, quotedName, quote = '', inside = '', rest = ''] = oneQuoted.exec(line) ?? [];
  if (rest !== '') {
    const other = ["'", '"', '`'].find((mark) => !line.includes(mark));
    const remedy = other === undefined ? '' : `: put the whole value between two ${other}`;
    return `the value of ${quotedName} ends at the second ${quote}, before the end of the line${remedy}`;
  }
  if (quote === '"' && inside.includes('\\n') && !inside.startsWith('-----'))
    return `in "double quotes" \\n is a line break, so the value of ${quotedName} has one: put it in 'single quotes'`;
  // Blanks before the # show that a comment is meant.
  const cut = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(?!\s*["'`])(?:[^#]*[^#\s])?#/.exec(line)?.[1];
  if (cut === undefined) return null;
  return `# begins a comment, so the value of ${cut} ends before it: put the whole value in 'single quotes'`;
}

/** A line that begins a quoted value. */
const quoted = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(["'`])/gm;
/** Within a value of several lines, such as a key, no line looks so. */
const nextVariable = /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=[ \t]*[^=\s]/m;

/** Values whose second quote is missing: the first one becomes part of the value, or all up to the next quote does. */
function openQuotes(file: string, text: string): string[] {
  return Array.from(text.matchAll(quoted)).flatMap(({ 0: start, 1: name, 2: quote = '', index }) => {
    const rest = text.slice(index + start.length);
    const end = rest.indexOf(quote);
    if (end >= 0 && !nextVariable.test(rest.slice(rest.indexOf('\n') + 1 || end, end + 1))) return [];
    const line = text.slice(0, index).split('\n').length;
    return [
      `${file}, line ${line}: the value of ${name} begins with ${quote} and has no ${quote} at its end: add it`,
    ];
  });
}
