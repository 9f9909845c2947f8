import type { FileRange } from '../file-access.ts';

/** Downloading this many unneeded bytes costs less than another request. */
const gapBytes = 4 * 1024;

/**
 * Reads ranges of a file, cut where it ends. Those that are close to each other are fetched together, from the end of the file
 * on, so that its start, which identifies it, is as recent as the rest.
 */
export async function readRanges(
  ranges: readonly FileRange[],
  size: number,
  fetch: (range: FileRange) => Promise<Buffer>,
): Promise<Buffer[]> {
  const inside = ranges.map(({ offset, length }) => ({
    offset,
    length: Math.min(length, Math.max(0, size - offset)),
  }));
  const chunks: { offset: number; bytes: Buffer }[] = [];
  for (const range of merge(inside).toReversed()) {
    chunks.push({ offset: range.offset, bytes: await fetch(range) });
  }
  return inside.map(({ offset, length }) => {
    const chunk = length === 0 ? undefined : chunks.find((one) => one.offset <= offset);
    return chunk?.bytes.subarray(offset - chunk.offset, offset - chunk.offset + length) ?? Buffer.alloc(0);
  });
}

/** Fewer ranges with the same bytes, ordered by offset, without empty ones. */
function merge(ranges: readonly FileRange[]): FileRange[] {
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
