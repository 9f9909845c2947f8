import type { FileRange } from '../file-port.ts';

/** Downloading this many unneeded bytes costs less than another request. */
const gapBytes = 4 * 1024;

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
