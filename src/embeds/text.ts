import type { Language } from '../locales/language.ts';

/*
 * Sanitizes all user-supplied text (names, reasons, titles, maps) for embeds. In Discord's markdown a backslash escapes any
 * punctuation mark, except inside code.
 */

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Invisible and control characters, which can hide or reorder the text around them. Joiners (U+200C, U+200D) and variation
 * selectors 15 and 16 are kept, since emoji and several scripts need them.
 */
const invisible = /(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}|[\u2800\ufff9-\ufffb]/gu;
const lineBreaksAndSpaces = /[\p{White_Space}\p{Cc}]+/gu;
const loneSurrogate = /\p{Surrogate}/gu;
/** More than three combining marks on a letter overlap the lines above and below. */
const stackedMarks = /(\p{M}{3})\p{M}+/gu;
/** Joiners that are not between visible characters. A run of them is tried from its start only, since it may be long. */
const looseJoiners =
  /(?<=^|\s)(?:\u200c|\u200d|\ufe0e|\ufe0f)+|(?<!\u200c|\u200d)(?:\u200c|\u200d)+(?=\s|$)/gu;
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Printable ASCII with single spaces, like most names. It needs no cleaning. */
const plainLine = /^[!-~]+(?: [!-~]+)*$/;

/** One line of visible text: without control and invisible characters, with single spaces. Empty if nothing visible remains. */
export function clean(text: string): string {
  if (plainLine.test(text)) return text;
  return text
    .replace(loneSurrogate, '\ufffd')
    .replace(invisible, '')
    .replace(lineBreaksAndSpaces, ' ')
    .replace(looseJoiners, '')
    .replace(stackedMarks, '$1')
    .trim();
}

/**
 * Escapes Discord's markdown in a cleaned line: emphasis, headings, lists, quotes, links (those without a scheme, too, such as
 * `discord.gg/…`), code, spoilers, tags (`<t:…>`, `<@…>`, `</…>`) and names of emoji (`:skull:`). A zero-width space after each
 * @ prevents mentions.
 */
function escapeMarkdown(line: string): string {
  return withoutMention(line)
    .replace(/[\\*_~`<>[\]]/g, '\\$&')
    .replace(/\|(?=\|)|(?<=\|)\|/g, '\\|')
    .replace(/:(?=\S)/g, '\\:')
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, '\\.')
    .replace(/^[#+-]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/** Breaks mentions with a zero-width space after each @. */
function withoutMention(text: string): string {
  return text.replace(/@/g, '@\u200b');
}

/** Isolates right-to-left text, so that it does not reorder the text after it. */
function isolate(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/** The start of the grapheme that contains `index`. */
function graphemeStart(text: string, index: number): number {
  // Segments only slightly more than needed, which is fast on long texts.
  return graphemes.segment(text.slice(0, index + 32)).containing(index)?.index ?? text.length;
}

/**
 * The longest prefix of `text`, in whole graphemes, whose rendered form has at most `max` characters. A cut text ends with
 * an ellipsis. `render` must not shorten a text.
 */
function longestThat(text: string, render: (part: string) => string, max: number): string {
  if (text.length <= max) {
    const whole = render(text);
    if (whole.length <= max) return whole;
  }
  const upTo = (index: number) => render(`${text.slice(0, index).trimEnd()}…`);
  let low = 0;
  let high = max;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (upTo(middle).length <= max) low = middle;
    else high = middle - 1;
  }
  return upTo(graphemeStart(text, low));
}

/**
 * User-supplied text for a place with markdown: one escaped line of at most `max` UTF-16 units including escapes, cut between
 * graphemes with an ellipsis. Empty if nothing is visible.
 */
export function escaped(text: string, max = 100): string {
  return longestThat(clean(text), (part) => isolate(escapeMarkdown(part)), max);
}

/** User-supplied text for a place without markdown, such as footers, authors and autocomplete choices. */
export function plain(text: string, max = 100): string {
  return longestThat(clean(text), (part) => isolate(withoutMention(part)), max);
}

export function code(text: string, max = 100): string {
  const line = clean(text).replaceAll('`', "'");
  return `\`${longestThat(line === '' ? ' ' : line, withoutMention, max)}\``;
}

/**
 * As many whole lines as fit into `max` characters. A last line counts the omitted ones, including `hidden` ones that the
 * caller omitted before.
 */
export function linesWithin(
  language: Language,
  lines: readonly string[],
  max: number,
  hidden = 0,
  separator = '\n',
): string {
  const render = (kept: number): string => {
    const left = lines.length - kept + hidden;
    return [...lines.slice(0, kept), ...(left > 0 ? [language.t('more', { count: left })] : [])].join(
      separator,
    );
  };
  let kept = lines.length;
  // The length without the last line. It avoids joining hundreds of lines only to find that they are too long.
  let length = lines.reduce((sum, line) => sum + line.length + separator.length, 0);
  while (kept > 0 && (length - separator.length > max || render(kept).length > max)) {
    kept -= 1;
    length -= lines[kept]!.length + separator.length;
  }
  return render(kept);
}

/** Texts in parts of at most `max` characters and `most` texts; at least one part, and one text in each. */
export function inParts(texts: readonly string[], max: number, most = Infinity): string[][] {
  const parts: string[][] = [[]];
  let length = 0;
  for (const text of texts) {
    const part = parts.at(-1)!;
    length += text.length + 1;
    if (part.length > 0 && (part.length >= most || length > max)) {
      parts.push([text]);
      length = text.length + 1;
    } else part.push(text);
  }
  return parts;
}

/** A part of a text. Null and false stand for one that it does not have. */
type Part = string | null | undefined | false | readonly string[];

const present = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part === null || part === undefined || part === false ? [] : part));

/** A text of these lines. An empty one is shown as such. */
export const lines = (...parts: readonly Part[]): string => present(parts).join('\n');

/** A line of these facts, without empty ones: `37 / 60 · Livonia`. */
export const facts = (...parts: readonly Part[]): string => present(parts).filter(Boolean).join(' · ');

/** The small print below a text. */
export const small = (text: string): string => `-# ${text}`;

/** Removes bold text or inline code that this cut line opens but does not close. */
function withoutOpenMarks(line: string): string {
  let open: { mark: string; at: number } | null = null;
  for (const { 0: mark, index } of line.matchAll(/\\.|\*\*?|`/gs)) {
    if (mark.startsWith('\\')) {
      continue;
    } else if (open === null) open = { mark, at: index };
    else if (open.mark === mark) open = null;
  }
  return open === null ? line : line.slice(0, open.at);
}

/**
 * Cuts text with our own markdown: at the end of a line if possible, never inside an escape, tag, grapheme, bold text or
 * code.
 */
export function cutMarkdown(text: string, max: number): string {
  if (text.length <= max) return text;
  const lineEnd = text.lastIndexOf('\n', max - 2);
  if (lineEnd > max / 2) return `${text.slice(0, lineEnd)}\n…`;
  const kept = text
    .slice(0, graphemeStart(text, max - 1))
    .replace(/(?<!\\)<[^<>\n]{0,40}$/, '')
    .replace(/(?<!\\)((?:\\\\)*)\\$/, '$1');
  const line = kept.lastIndexOf('\n') + 1;
  return `${kept.slice(0, line)}${withoutOpenMarks(kept.slice(line))}…`;
}

/** Text that no line break divides, such as a figure with its unit, or `M4-A1`. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0').replace(/^\\-|-/g, '\u2011');
}

/** A text that `unbroken` may have written, as somebody would type it: members paste names from boards. */
export const asTyped = (text: string): string =>
  text.replaceAll('\u00a0', ' ').replaceAll('\u2011', '-').trim();
