import { isUtf8 } from 'node:buffer';
import { byteOrderMarkOf, decodeUtf16 } from './utf16.ts';

const lineFeed = 0x0a;
const cp1251 = new TextDecoder('windows-1251');

/**
 * The lines of a block of whole lines, without line ends. The game writes UTF-8; a line in another encoding (a server
 * of 2015 on a Russian Windows) is read as CP1251. NULs, which a crash leaves behind, are dropped.
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
    const feed = bytes.indexOf(lineFeed, start);
    const end = feed < 0 ? bytes.length : feed;
    const line = bytes.subarray(start, end);
    lines.push(isUtf8(line) ? line.toString('utf8') : cp1251.decode(line));
    start = end + 1;
  }
  return lines;
}

/** Long enough for many lines, short enough that its text is cheap to create and collect. */
const pieceBytes = 64 * 1024;

/**
 * A block of whole lines as text with one character per byte, in parts of whole lines. Most of a log is never
 * inspected closely, and decoding all of it costs more than reading it; `decodeRaw` decodes what is needed.
 */
export function* rawPiecesOf(bytes: Buffer): Generator<string, void, void> {
  for (let start = 0; start < bytes.length;) {
    const limit = start + pieceBytes;
    let end = bytes.length;
    if (limit < end) {
      const before = bytes.subarray(start, limit).lastIndexOf(lineFeed);
      const after = before < 0 ? bytes.indexOf(lineFeed, limit) : start + before;
      if (after >= 0) end = after + 1;
    }
    const text = bytes.toString('latin1', start, end);
    yield bytes.subarray(start, end).includes(0) ? text.replaceAll('\0', '') : text;
    start = end;
  }
}

/** Decodes a part of such text by the rule of `linesOf`. */
export function decodeRaw(raw: string): string {
  const bytes = Buffer.from(raw, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : cp1251.decode(bytes);
}

/** The text of a small file, decoded by the same rule or from UTF-16, without a byte order mark. */
export function textOf(file: Buffer): string {
  const mark = byteOrderMarkOf(file);
  const { encoding, bytes } =
    mark === null || mark === 'incomplete' ? { encoding: 'utf-8' as const, bytes: 0 } : mark;
  const content = file.subarray(bytes);
  return linesOf(encoding === 'utf-8' ? content : decodeUtf16(content, encoding)).join('\n');
}
