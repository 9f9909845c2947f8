import { element, span } from './dom.ts';
import { inline, type Names, type Part } from './markdown-inline.ts';

/** Items of a list, with what is indented below them. */
function list(lines: readonly string[], names: Names): HTMLElement {
  const opening = lines[0] ?? '';
  const ordered = isOrdered(opening);
  const root = element(ordered ? 'ol' : 'ul', { className: 'md-list' });
  if (ordered) root.setAttribute('start', String(Number.parseInt(opening, 10)));
  const first = indentOf(opening);
  let nested: string[] = [];
  const close = (): void => {
    if (nested.length > 0) (root.lastElementChild ?? root).append(list(nested, names));
    nested = [];
  };
  for (const line of lines) {
    if (indentOf(line) > first && root.lastElementChild) nested.push(line);
    else {
      close();
      root.append(element('li', {}, ...inline(line.replace(/^\s*(?:[-*]|\d+\.)\s+/, ''), names)));
    }
  }
  close();
  return root;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
const isOrdered = (line: string): boolean => /^\s*\d/.test(line);
const isListLine = (line: string): boolean => /^\s*(?:[-*]|\d{1,9}\.)\s+\S/.test(line);

/** The lines from `start` on as long as they belong together, at least one. */
function linesWhile(lines: readonly string[], start: number, belongs: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, index) => index > start && !belongs(line));
  return lines.slice(start, end === -1 ? lines.length : end);
}

/** Headings, quotes (which do not nest), lists, and the lines between them. */
function blocks(text: string, names: Names, quoted = false): Part[] {
  const nodes: Part[] = [];
  const lines = text.split('\n');
  let paragraph: string[] = [];
  const flush = (): void => {
    if (paragraph.length > 0) nodes.push(...inline(paragraph.join('\n'), names));
    paragraph = [];
  };
  const add = (node: Part): void => {
    flush();
    nodes.push(node);
  };
  const quote = (inside: readonly string[]): HTMLElement =>
    element('discord-quote', {}, ...blocks(inside.join('\n'), names, true));
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const [, level, heading] = /^(#{1,3})\s+(.+)/.exec(line) ?? [];
    const [, subtext] = /^-#\s+(.+)/.exec(line) ?? [];
    if (level !== undefined && heading !== undefined) {
      add(element('discord-header', { level: level.length }, ...inline(heading, names)));
    } else if (subtext !== undefined) {
      add(element('discord-subscript', {}, ...inline(subtext, names)));
    } else if (!quoted && line.startsWith('>>> ')) {
      add(quote([line.slice(4), ...lines.slice(index + 1)]));
      return nodes;
    } else if (!quoted && line.startsWith('> ')) {
      const inside = linesWhile(lines, index, (one) => one.startsWith('> '));
      index += inside.length - 1;
      add(quote(inside.map((one) => one.slice(2))));
    } else if (isListLine(line)) {
      const ordered = isOrdered(line);
      // A line of the other kind at the margin begins another list; indented ones belong to the item above.
      const items = linesWhile(
        lines,
        index,
        (one) => isListLine(one) && (/^\s/.test(one) || isOrdered(one) === ordered),
      );
      index += items.length - 1;
      add(list(items, names));
    } else if (line === '' && paragraph.length === 0 && nodes.length > 0)
      nodes.push(span('md-line-break', '\u00a0'));
    else paragraph.push(line);
  }
  flush();
  return nodes;
}

const noNames: Names = { users: {}, roles: {}, channels: {} };

/** A whole text: code blocks first, since nothing in them is markup. */
export function markdown(text: string, names: Names = noNames): Part[] {
  const nodes: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(/```(?:[\w+-]{1,20}\n)?\n*([\s\S]*?)\n*```/g)) {
    const [block, code = ''] = match;
    if (code.trim() === '') continue;
    const before = text.slice(at, match.index).replace(/\n$/, '');
    if (before !== '') nodes.push(...blocks(before, names));
    nodes.push(element('pre', { className: 'md-code-block' }, element('code', {}, code)));
    at = match.index + block.length;
  }
  const rest = at === 0 ? text : text.slice(at).replace(/^\n/, '');
  if (rest !== '') nodes.push(...blocks(rest, names));
  return nodes;
}
