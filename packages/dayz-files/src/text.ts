import { isUtf8 } from 'node:buffer';
import { withoutMark } from './utf16.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const cp1251 = new TextDecoder('windows-1251');

/**
 * The lines of a block of whole lines, without line ends, which a transfer as text may have doubled (`\r\r\n`). The game
 * writes UTF-8; a line in another encoding (a server of 2015 on a Russian Windows) is read as CP1251. NULs, which a crash
 * leaves behind, are dropped.
 */
export function linesOf(bytes: Buffer): string[] {
  const lines = isUtf8(bytes) ? bytes.toString('utf8').split('\n') : splitMixed(bytes);
  if (lines.at(-1) === '') lines.pop();
  if (bytes.includes(0x0d)) lines.forEach((line, i) => (lines[i] = withoutReturns(line)));
  if (bytes.includes(0)) lines.forEach((line, i) => (lines[i] = line.replaceAll('\0', '')));
  return lines;
}

function withoutReturns(line: string): string {
  let end = line.length;
  while (line.charCodeAt(end - 1) === carriageReturn) end -= 1;
  return line.slice(0, end);
}

function splitMixed(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(lineFeed, start);
    const end = feed < 0 ? bytes.length : feed;
    const line = bytes.subarray(start, end);
    lines.push(decode(line));
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
  return decode(Buffer.from(raw, 'latin1'));
}

/** A name that was cut inside of a character stays readable, without what is left of that. */
function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  const broken = text.match(/\uFFFD/g)?.length ?? 0;
  const whole = text.match(/[^\p{ASCII}\uFFFD]/gu)?.length ?? 0;
  return whole > leastWhole * broken ? text.replaceAll('\uFFFD', '') : cp1251.decode(bytes);
}

/** Text in CP1251 may contain a character of UTF-8 by chance, but not so many for each that is broken. */
const leastWhole = 2;

/** The text of a small file, decoded by the same rule or from UTF-16, without a byte order mark. */
export const textOf = (file: Buffer): string => linesOf(withoutMark(file)).join('\n');
