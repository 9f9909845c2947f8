import { element, link, span } from './dom.ts';
import { timestamp } from './time.ts';

/** Discord's markdown within a line, drawn as DOM nodes. What is not markup becomes a text node, so hostile names stay names. */

/** What the ids in mentions are called. */
export interface Names {
  users: Record<string, string>;
  roles: Record<string, string>;
  channels: Record<string, string>;
}

export type Part = Node | string;

/** Groups of a match; those of the rules below are always there. */
type Rule = [
  pattern: RegExp,
  draw: (groups: [whole: string, first: string, second?: string], names: Names) => Part,
];

const inlineRules: readonly Rule[] = [
  [/\\([^0-9A-Za-z\s])/y, (match) => match[1]],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, (match) => timestamp(Number(match[1]), match[2] ?? 'f')],
  [/<@!?(\d{15,20})>/y, (match, names) => mention(`@${names.users[match[1]] ?? 'unknown-user'}`)],
  [/<@&(\d{15,20})>/y, (match, names) => mention(`@${names.roles[match[1]] ?? 'unknown-role'}`)],
  [/<#(\d{15,20})>/y, (match, names) => mention(`#${names.channels[match[1]] ?? 'unknown'}`)],
  [/<\/([-\w' \p{L}\p{N}]{1,98}):(\d{15,20})>/uy, (match) => mention(`/${match[1]}`)],
  [/<a?:(\w{2,32}):(\d{15,20})>/y, (match) => element('span', { title: match[0] }, `:${match[1]}:`)],
  [/<(https?:\/\/[^\s>]+)>/y, (match) => link(match[1], 'md-link', match[1])],
  [
    /\[((?:\\.|[^\][\\]|\[[^\][]*\])+)\]\(<?(https?:\/\/[^\s)>]+)>?(?:\s+["'][^"']*["'])?\)/y,
    (match, names) => link(match[2], 'md-link', ...inline(match[1], names)),
  ],
  [/https?:\/\/[^\s<]+[^<.,:;"'\]\s)]/y, (match) => link(match[0], 'md-link', match[0])],
  [
    /\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y,
    (match, names) => element('strong', {}, ...inline(match[1], names)),
  ],
  [/__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, (match, names) => element('u', {}, ...inline(match[1], names))],
  [
    /\*(?=\S)((?:\*\*|\\[\s\S]|[^*\\])+?)(?<!\s)\*(?!\*)/y,
    (match, names) => element('em', {}, ...inline(match[1], names)),
  ],
  [/_((?:__|\\[\s\S]|[^\\_])+?)_(?!\w)/y, (match, names) => element('em', {}, ...inline(match[1], names))],
  [/~~([\s\S]+?)~~(?!~)/y, (match, names) => element('s', {}, ...inline(match[1], names))],
  [/\|\|([\s\S]+?)\|\|/y, (match, names) => spoiler(inline(match[1], names))],
  [/@(?:everyone|here)\b/y, (match) => mention(match[0])],
  [/\n/y, () => element('br')],
];

/**
 * A code span: a run of backticks, and the next run of the same length. Counted by hand, because a pattern for it
 * takes cubic time on a text of nothing but backticks. Gives the whole span, or just the run that opens nothing.
 */
function codeSpan(text: string, at: number): { length: number; node: Part } {
  const open = /^`+/.exec(text.slice(at))?.[0] ?? '';
  for (const run of text.slice(at + open.length).matchAll(/`+/g)) {
    if (run[0].length !== open.length) continue;
    const inside = text.slice(at + open.length, at + open.length + run.index);
    return {
      length: inside.length + 2 * open.length,
      node: element('code', { className: 'md-code' }, inside),
    };
  }
  return { length: open.length, node: open };
}

const mention = (text: string): HTMLElement => span('md-mention', text);

function spoiler(children: Part[]): HTMLElement {
  const show = (event: Event): void => (event.currentTarget as HTMLElement).classList.add('shown');
  const inside = element('span', {}, ...children);
  return element(
    'span',
    { className: 'md-spoiler', role: 'button', tabindex: 0, onclick: show, onkeydown: show },
    inside,
  );
}

const plainText = /[^\\`<[*_~|@h\n]+/y;

/** What a text begins with at an index: text without markup, markup, or a character that opens none. */
function partAt(text: string, at: number, names: Names): { length: number; node: Part } {
  plainText.lastIndex = at;
  const [plain] = plainText.exec(text) ?? [];
  if (plain !== undefined) return { length: plain.length, node: plain };
  if (text[at] === '`') return codeSpan(text, at);
  // An underscore inside a word is part of it.
  const inWord = text[at] === '_' && /\w/.test(text[at - 1] ?? '');
  for (const [pattern, draw] of inWord ? [] : inlineRules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    // Drawing nested markup uses the same patterns, so their positions are taken from the match only.
    if (match) {
      return { length: match[0].length, node: draw(match as unknown as Parameters<typeof draw>[0], names) };
    }
  }
  return { length: 1, node: text[at] ?? '' };
}

const deepest = 12;
let depth = 0;

/** Markup within a line, as nodes and texts. */
export function inline(text: string, names: Names): Part[] {
  if (depth >= deepest) return [text];
  depth += 1;
  const parts: Part[] = [];
  for (let at = 0; at < text.length;) {
    const { length, node } = partAt(text, at, names);
    const last = parts.at(-1);
    // One text node, not one for each piece of text.
    if (typeof node === 'string' && typeof last === 'string') parts[parts.length - 1] = last + node;
    else parts.push(node);
    at += length;
  }
  depth -= 1;
  return parts;
}
