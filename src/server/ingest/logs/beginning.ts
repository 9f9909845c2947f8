import { headerOf, isBlank } from '../../games/dayz/admin-log.ts';
import { type ByteSource, maxLineBytes } from '../files/blocks.ts';
import { timeOfDayMs } from './local-clock.ts';
import { textOf } from '../files/text.ts';

/**
 * How an admin log begins: with a run's header; with another line, which says this time of day (milliseconds since
 * midnight, -1: none); or with too little to tell.
 */
export type Beginning = { kind: 'header' } | { kind: 'line'; timeMs: number } | { kind: 'too-short' };

export async function beginningOf(file: ByteSource): Promise<Beginning> {
  const buffer = Buffer.alloc(maxLineBytes);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  const lines = textOf(buffer.subarray(0, bytesRead)).split('\n');
  // What has not ended may become anything; what fills all that was read is no log.
  if (bytesRead < buffer.length && !endsInFeed(buffer.subarray(0, bytesRead))) lines.pop();
  for (const line of lines) {
    if (headerOf(Buffer.from(line)) !== null) return { kind: 'header' };
    if (!isBlank(line)) return { kind: 'line', timeMs: line.startsWith(' | ', 8) ? timeOfDayMs(line) : -1 };
  }
  return bytesRead < buffer.length ? { kind: 'too-short' } : { kind: 'line', timeMs: -1 };
}

const lineFeed = 0x0a;

/** In UTF-8 or UTF-16. */
const endsInFeed = (bytes: Buffer): boolean =>
  bytes.at(-1) === lineFeed || (bytes.at(-1) === 0 && bytes.at(-2) === lineFeed);

/** Whether a line that has not ended can still become one with which an admin log begins. */
export function canBegin(bytes: Buffer): boolean {
  const text = textOf(bytes.subarray(0, maxLineBytes));
  const words = 'AdminLog started on ';
  return isBlank(text) || text.startsWith(words) || words.startsWith(text);
}
