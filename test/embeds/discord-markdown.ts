/*
 * Reads text as Discord's clients do, in the simplest way: what of it is formatting, a link, a tag or a mention, and what
 * people see. It shares nothing with the code that escapes.
 */

export interface Reading {
  /** Kinds of all constructs in order, such as `bold` or `time`; those that hold others come first. */
  constructs: string[];
  /** What is seen, without marks and escapes. */
  seen: string;
}

interface Rule {
  kind: string;
  /** Tried where the reader stands; group 1, if any, is read further. */
  pattern: RegExp;
  /** Only at the beginning of a line. */
  atLineStart?: true;
  /** Group 1 is shown as it is. */
  literal?: true;
}

const rules: Rule[] = [
  { kind: 'code block', pattern: /```[\s\S]*?```/y },
  { kind: 'code', pattern: /(?:(`+)(?!`))(?:[\s\S]*?[^`])\1(?!`)/y, literal: true },
  { kind: 'long quote', pattern: />>> /y, atLineStart: true },
  { kind: 'quote', pattern: /> /y, atLineStart: true },
  { kind: 'heading', pattern: /#{1,3} +/y, atLineStart: true },
  { kind: 'small', pattern: /-# +/y, atLineStart: true },
  { kind: 'list', pattern: / *(?:[-*+]|\d+[.)]) +/y, atLineStart: true },
  { kind: 'time', pattern: /<t:-?\d{1,17}(?::[tTdDfFR])?>/y },
  { kind: 'mention', pattern: /<(?:@[!&]?|#)\d+>|@(?:everyone|here)/y },
  { kind: 'tag', pattern: /<(?:a?:\w{2,32}:\d{17,20}|\/[^<>\n]+:\d+|id:\w+)>/y },
  { kind: 'address', pattern: /<[a-zA-Z][\w+.-]*:\/\/[^<>\s]+>/y },
  { kind: 'named link', pattern: /\[((?:\\.|[^\]\\])+)\]\(\s*<?[^\s)]+>?(?:\s+"[^"]*")?\s*\)/y },
  { kind: 'address', pattern: /(?:https?|steam|discord):\/\/[^\s<]+/y },
  // Without a scheme.
  { kind: 'address', pattern: /(?:discord(?:app)?\.[a-z]+\/|www\.[a-z])[^\s<]*/iy },
  { kind: 'emoji', pattern: /:[^\s:]+(?:::skin-tone-\d)?:/y },
  { kind: 'spoiler', pattern: /\|\|([\s\S]+?)\|\|/y },
  { kind: 'bold', pattern: /\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y },
  { kind: 'underline', pattern: /__((?:\\[\s\S]|[^\\])+?)__(?!_)/y },
  { kind: 'struck', pattern: /~~((?:\\[\s\S]|[^\\])+?)~~/y },
  { kind: 'italic', pattern: /\*(?=\S)((?:\\[\s\S]|[^\\*])+?)\*(?!\*)/y },
  { kind: 'italic', pattern: /\b_((?:\\[\s\S]|[^\\_])+?)_\b/y },
];

const escaped = /\\([^0-9A-Za-z\s])/y;

/** Characters at which nothing but text can begin, unless a line does. */
const ordinary = /[^\\`*_~|<[@:hsdDwW\n]+/y;

/** One construct at `at`, or null. Marks that close nowhere are text, as with Discord. */
function constructAt(
  text: string,
  at: number,
): { rule: Rule; length: number; inner: string | undefined } | null {
  const isLineStart = at === 0 || text[at - 1] === '\n';
  for (const rule of rules) {
    if (rule.atLineStart && !isLineStart) continue;
    rule.pattern.lastIndex = at;
    const match = rule.pattern.exec(text);
    if (match === null) continue;
    const inner = rule.literal ? match[0].replace(/^`+|`+$/g, '') : match[1];
    return { rule, length: match[0].length, inner };
  }
  return null;
}

/** Reads one text: a description, the value of a field. */
export function readMarkdown(text: string): Reading {
  const constructs: string[] = [];
  let seen = '';
  for (let at = 0; at < text.length;) {
    ordinary.lastIndex = at;
    const run = at === 0 || text[at - 1] === '\n' ? undefined : ordinary.exec(text)?.[0];
    if (run !== undefined) {
      seen += run;
      at += run.length;
      continue;
    }
    escaped.lastIndex = at;
    const literal = escaped.exec(text)?.[1];
    if (literal !== undefined) {
      seen += literal;
      at += 1 + literal.length;
      continue;
    }
    const construct = constructAt(text, at);
    if (construct === null) {
      seen += text[at];
      at += 1;
      continue;
    }
    const { rule, length, inner = '' } = construct;
    const within = rule.literal ? { constructs: [], seen: inner } : readMarkdown(inner);
    constructs.push(rule.kind, ...within.constructs);
    seen += within.seen;
    at += length;
  }
  return { constructs, seen };
}
