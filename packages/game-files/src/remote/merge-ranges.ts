import type { FileRange } from '../file-access.ts';

/** Downloading this many unneeded bytes costs less than another request. */
const gapBytes = 4 * 1024;

/** Bytes of a file from an offset on. */
export interface Chunk {
  offset: number;
  bytes: Buffer;
}

/** Cuts ranges where a file ends. */
export function withinFile(ranges: readonly FileRange[], size: number): FileRange[] {
  return ranges.map(({ offset, length }) => ({
    offset,
    length: Math.min(length, Math.max(0, size - offset)),
  }));
}

/** Merges ranges into fewer that contain the same bytes, ordered by offset. Empty ranges are left out. */
export function mergeRanges(ranges: readonly FileRange[]): FileRange[] {
  const merged: FileRange[] = [];
  const sorted = ranges.filter(({ length }) => length > 0).toSorted((a, b) => a.offset - b.offset);
  for (const { offset, length } of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && offset <= last.offset + last.length + gapBytes) {
      last.length = Math.max(last.length, offset + length - last.offset);
    } else merged.push({ offset, length });
  }
  return merged;
}

/** The bytes of a range that one of the chunks holds, or that is empty. */
export function bytesOf(chunks: readonly Chunk[], range: FileRange): Buffer {
  const end = range.offset + range.length;
  const chunk = chunks.find(({ offset, bytes }) => offset <= range.offset && end <= offset + bytes.length);
  if (chunk === undefined) return Buffer.alloc(0);
  const from = range.offset - chunk.offset;
  return chunk.bytes.subarray(from, from + range.length);
}
