/**
 * Breaks lines between words. What follows a break is indented as far as the line, or the text of its list item or
 * table row. A word that is longer than the width, such as an address, stays whole.
 */
export function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width, ' '.repeat(/^ *(?:- |\S.*? {2,})?/.exec(line)?.[0].length ?? 0)))
    .join('\n');
}

/** As `wrap`, of one line. */
export function wrapLine(line: string, width: number, indent: string): string {
  if (line.length <= width) return line;
  const least = indent.length + 1;
  const before = line.lastIndexOf(' ', width);
  const at = before >= least ? before : line.indexOf(' ', least);
  if (at < 0) return line;
  return `${line.slice(0, at)}\n${wrapLine(`${indent}${line.slice(at).trimStart()}`, width, indent)}`;
}
