import { isUtf8 } from 'node:buffer';

const cp1251 = new TextDecoder('windows-1251');

/**
 * The lines of a block of whole lines, without their ends. The game writes UTF-8; a line that is not (a server of
 * 2015 on a Russian Windows) is read as CP1251. NULs, which a crash leaves behind, are dropped.
 */
export function linesOf(bytes: Buffer): string[] {
  const lines = isUtf8(bytes) ? bytes.toString('utf8').split('\n') : splitMixed(bytes);
  if (lines.at(-1) === '') lines.pop();
  if (bytes.includes(0x0d))
    lines.forEach((line, i) => (lines[i] = line.endsWith('\r') ? line.slice(0, -1) : line));
  if (bytes.includes(0)) lines.forEach((line, i) => (lines[i] = line.replaceAll('\0', '')));
  return lines;
}

function splitMixed(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed < 0 ? bytes.length : feed;
    const line = bytes.subarray(start, end);
    lines.push(isUtf8(line) ? line.toString('utf8') : cp1251.decode(line));
    start = end + 1;
  }
  return lines;
}

/** The whole text of a small file, decoded by the same rule, without a byte order mark. */
export function textOf(bytes: Buffer): string {
  return linesOf(bytes)
    .join('\n')
    .replace(/^\uFEFF/, '');
}
