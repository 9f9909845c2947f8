/*
 * Everything that other people wrote (names, reasons, titles, maps) passes through this file before it stands in an
 * embed. Discord lets a backslash take the meaning of any punctuation mark; it does not do so inside code.
 */

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Characters that take no room or only steer others: they hide text, or reorder and blank what stands around it. The
 * joiners (U+200C, U+200D) and variation selectors 15 and 16 stay, since emoji and several scripts are written with them.
 */
const invisible = /(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}|[\u2800\ufff9-\ufffb]/gu;
const lineBreaksAndSpaces = /[\p{White_Space}\p{Cc}]+/gu;
const loneSurrogate = /\p{Surrogate}/gu;
/** More than three marks on one letter are there to climb over the lines above and below. */
const stackedMarks = /(\p{M}{3})\p{M}+/gu;
/** Joiners belong between visible characters, nowhere else. */
const looseJoiners = /(?<=^|\s)(?:\u200c|\u200d|\ufe0e|\ufe0f)+|(?:\u200c|\u200d)+(?=\s|$)/gu;
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Printable ASCII in single spaces, as most names are: there is nothing to take out of it. */
const plainLine = /^[!-~]+(?: [!-~]+)*$/;

/** One line of visible text: no control characters, no invisible ones, spaces joined. Empty when nothing visible is left. */
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
 * Takes every meaning in Discord's markdown from a cleaned line: emphasis, headings, lists, quotes, links, code,
 * spoilers, tags (`<t:…>`, `<@…>`, `</…>`). A zero-width space after each @ keeps `@everyone` a word wherever it is read.
 */
export function escapeMarkdown(line: string): string {
  return withoutMention(line)
    .replace(/[\\*_~`<>[\]]/g, '\\$&')
    .replace(/\|(?=\|)|(?<=\|)\|/g, '\\|')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/^[#+-]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/** Nothing after an @ is a name any more, wherever it is read. */
function withoutMention(text: string): string {
  return text.replace(/@/g, '@\u200b');
}

/** Text that reads right to left, set apart so that it does not reorder what follows it. */
function isolate(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/** Where the grapheme begins that `index` falls into. */
function graphemeStart(text: string, index: number): number {
  // Looking at a few characters more than needed keeps this quick on long texts.
  return graphemes.segment(text.slice(0, index + 32)).containing(index)?.index ?? text.length;
}

/**
 * The longest beginning of `text`, in whole graphemes, that is at most `max` long when rendered; with an ellipsis when
 * something is left off. `render` makes no text shorter.
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
 * Another person's text for a place where Discord reads markdown: one line, escaped, at most `max` UTF-16 units with all
 * escapes, cut between graphemes with an ellipsis. Empty when nothing visible is in it.
 */
export function foreign(text: string, max = 100): string {
  return longestThat(clean(text), (part) => isolate(escapeMarkdown(part)), max);
}

/** The same for a place without markdown (footer, author, choices of an autocompletion). */
export function plain(text: string, max = 100): string {
  return longestThat(clean(text), (part) => isolate(withoutMention(part)), max);
}

/** Another person's text as inline code. */
export function code(text: string, max = 100): string {
  const line = clean(text).replaceAll('`', "'");
  return `\`${longestThat(line === '' ? ' ' : line, withoutMention, max)}\``;
}

/**
 * As many whole lines as fit into `max` characters; a last one tells how many were left off, together with the `hidden`
 * ones that the caller left off before.
 */
export function linesWithin(
  lines: readonly string[],
  max: number,
  moreText: (count: number) => string,
  hidden = 0,
): string {
  const render = (kept: number): string => {
    const left = lines.length - kept + hidden;
    return [...lines.slice(0, kept), ...(left > 0 ? [moreText(left)] : [])].join('\n');
  };
  let kept = lines.length;
  // Of the lines alone, each with its line break: hundreds of them are not joined to learn that they are too many.
  let length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  while (kept > 0 && (length - 1 > max || render(kept).length > max)) {
    kept -= 1;
    length -= lines[kept]!.length + 1;
  }
  return render(kept);
}

/** Takes bold or inline code that opens on this line and does not close off it; a mark cut in half closes nothing. */
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
 * Cuts text that holds our own markdown: at a line's end where there is one, never inside an escape, a tag, a grapheme,
 * bold or code.
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
