/** A line without a byte order mark and blanks around it; empty if all of it is a `//` comment. */
export function contentOf(line: string): string {
  const content = line.replace(/^\uFEFF/, '').trim();
  return content.startsWith('//') ? '' : content;
}

/** Whether a line holds five or more of these signs in a row, as in the rules that owners draw between bans. */
export const isRuler = (line: string): boolean => /[-=*_#]{5}/.test(line);

/** The first word, and the rest if there is one. */
export function splitFirstWord(text: string): string[] {
  const at = text.search(/\s/);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at).trim()];
}
