import { element, link } from './dom.js';
import { timestamp } from './time.js';

/**
 * Discord's markdown drawn as DOM nodes. Everything that is not markup becomes a text node, so hostile names stay
 * names. `names` resolves mentions: { users, roles, channels, commands } from id to name.
 */

const inlineRules = [
  [/\\([^0-9A-Za-z\s])/y, (match) => match[1]],
  [/<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y, (match) => timestamp(Number(match[1]), match[2] ?? 'f')],
  [/<@!?(\d{15,20})>/y, (match, names) => mention(`@${names.users?.[match[1]] ?? 'unknown-user'}`)],
  [/<@&(\d{15,20})>/y, (match, names) => mention(`@${names.roles?.[match[1]] ?? 'unknown-role'}`)],
  [/<#(\d{15,20})>/y, (match, names) => mention(`#${names.channels?.[match[1]] ?? 'unknown'}`)],
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
];

/**
 * A code span: a run of backticks, and the next run of the same length. Counted by hand, because a pattern for it
 * takes cubic time on a text of nothing but backticks. Gives the whole span, or just the run that opens nothing.
 */
function codeSpan(text, at) {
  const [open] = /^`+/.exec(text.slice(at));
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

const plainText = /[^\\`<[*_~|@h\n]+/y;
const deepest = 12;
let depth = 0;

function mention(text) {
  return element('span', { className: 'md-mention' }, text);
}

function spoiler(children) {
  const show = (event) => event.currentTarget.classList.add('shown');
  const inside = element('span', {}, ...children);
  return element(
    'span',
    { className: 'md-spoiler', role: 'button', tabindex: 0, onclick: show, onkeydown: show },
    inside,
  );
}

/** Markup within a line; nodes and texts. */
export function inline(text, names = {}) {
  if (depth >= deepest) return [text];
  depth += 1;
  const nodes = [];
  let pending = '';
  let at = 0;
  const flush = () => {
    if (pending !== '') nodes.push(pending);
    pending = '';
  };
  const add = (made) => {
    if (typeof made === 'string') pending += made;
    else {
      flush();
      nodes.push(made);
    }
  };
  while (at < text.length) {
    plainText.lastIndex = at;
    const plain = plainText.exec(text);
    if (plain) {
      pending += plain[0];
      at += plain[0].length;
      continue;
    }
    if (text[at] === '\n') {
      flush();
      nodes.push(element('br'));
      at += 1;
      continue;
    }
    let taken = 0;
    if (text[at] === '`') {
      const span = codeSpan(text, at);
      add(span.node);
      at += span.length;
      continue;
    }
    // An underscore inside a word is part of it.
    const inWord = text[at] === '_' && /\w/.test(text[at - 1] ?? '');
    for (const [pattern, make] of inWord ? [] : inlineRules) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match) continue;
      // Drawing nested markup uses the same patterns, so their positions are taken from the match only.
      taken = match[0].length;
      add(make(match, names));
      break;
    }
    if (taken === 0) {
      pending += text[at];
      taken = 1;
    }
    at += taken;
  }
  flush();
  depth -= 1;
  return nodes;
}

/** Items of a list, with what is indented below them. */
function list(lines, names) {
  const ordered = /^\s*\d+\./.test(lines[0]);
  const root = element(ordered ? 'ol' : 'ul', { className: 'md-list' });
  if (ordered) root.setAttribute('start', String(Number.parseInt(lines[0], 10)));
  const first = /^\s*/.exec(lines[0])[0].length;
  let nested = [];
  const close = () => {
    if (nested.length > 0) (root.lastElementChild ?? root).append(list(nested, names));
    nested = [];
  };
  for (const line of lines) {
    const indent = /^\s*/.exec(line)[0].length;
    if (indent > first && root.lastElementChild) nested.push(line);
    else {
      close();
      root.append(element('li', {}, ...inline(line.replace(/^\s*(?:[-*]|\d+\.)\s+/, ''), names)));
    }
  }
  close();
  return root;
}

const isOrdered = (line) => /^\s*\d/.test(line);
const isListLine = (line) => /^\s*(?:[-*]|\d{1,9}\.)\s+\S/.test(line);

/** Headings, quotes (which do not nest), lists, and the lines between them. */
function blocks(text, names, quoted = false) {
  const nodes = [];
  const lines = text.split('\n');
  let paragraph = [];
  const flush = () => {
    if (paragraph.length > 0) nodes.push(...inline(paragraph.join('\n'), names));
    paragraph = [];
  };
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    const heading = /^(#{1,3})\s+(.+)/.exec(line);
    const subtext = /^-#\s+(.+)/.exec(line);
    if (heading) {
      flush();
      const className = `md-heading md-heading-${heading[1].length}`;
      nodes.push(
        element(
          'div',
          { className, role: 'heading', 'aria-level': heading[1].length + 2 },
          ...inline(heading[2], names),
        ),
      );
    } else if (subtext) {
      flush();
      nodes.push(element('div', { className: 'md-subtext' }, ...inline(subtext[1], names)));
    } else if (!quoted && line.startsWith('>>> ')) {
      flush();
      const rest = [line.slice(4), ...lines.slice(index + 1)].join('\n');
      nodes.push(element('div', { className: 'md-quote' }, element('div', {}, ...blocks(rest, names, true))));
      return nodes;
    } else if (!quoted && line.startsWith('> ')) {
      flush();
      const inside = [];
      while (index < lines.length && lines[index].startsWith('> ')) inside.push(lines[index++].slice(2));
      index -= 1;
      nodes.push(
        element(
          'div',
          { className: 'md-quote' },
          element('div', {}, ...blocks(inside.join('\n'), names, true)),
        ),
      );
    } else if (isListLine(line)) {
      flush();
      const items = [];
      const kind = isOrdered(line);
      // A line of the other kind at the margin begins another list; indented ones belong to the item above.
      while (index < lines.length && isListLine(lines[index])) {
        if (/^\S/.test(lines[index]) && isOrdered(lines[index]) !== kind) break;
        items.push(lines[index++]);
      }
      index -= 1;
      nodes.push(list(items, names));
    } else if (line === '' && paragraph.length === 0 && nodes.length > 0)
      nodes.push(element('span', { className: 'md-line-break' }, '\u00a0'));
    else paragraph.push(line);
  }
  flush();
  return nodes;
}

/** A whole text: code blocks first, since nothing in them is markup. */
export function markdown(text, names = {}) {
  const nodes = [];
  const fence = /```(?:([\w+-]{1,20})\n)?\n*([\s\S]*?)\n*```/g;
  let at = 0;
  depth = 0;
  for (const match of text.matchAll(fence)) {
    if (match[2].trim() === '') continue;
    const before = text.slice(at, match.index).replace(/\n$/, '');
    if (before !== '') nodes.push(...blocks(before, names));
    nodes.push(element('pre', { className: 'md-code-block' }, element('code', {}, match[2])));
    at = match.index + match[0].length;
  }
  const rest = at === 0 ? text : text.slice(at).replace(/^\n/, '');
  if (rest !== '') nodes.push(...blocks(rest, names));
  return nodes;
}
