import { fileMarks, type FileAccess, type FileStat, hasMarks, markRanges, OpenedFile } from 'game-files';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';

/**
 * The stamp by which an unchanged log is recognised. An empty one stands for a log of which not all was counted. It is stored,
 * so it has no identity, which may change when a share is mounted again.
 */
export function logStamp({ size, changedAt }: FileStat): string {
  return `${size} ${changedAt}`;
}

/** Bytes; 0 for the empty stamp. */
export function sizeOfStamp(stamp: string): number {
  return Number(stamp.split(' ')[0]) || 0;
}

/** The time in a stamp, epoch milliseconds; null: it was not known. */
export function timeOfStamp(stamp: string): number | null {
  const time = Number(stamp.split(' ')[1]);
  return Number.isFinite(time) ? time : null;
}

/** Whether two stamps are of one state of a log. Where a time is unknown, equal sizes are enough. */
export function isSameStamp(one: string, other: string): boolean {
  if (one === other) return true;
  const isTimeUnknown = timeOfStamp(one) === null || timeOfStamp(other) === null;
  return isTimeUnknown && one.split(' ')[0] === other.split(' ')[0];
}

/**
 * Whether a log is in the state in which it was read to its end. Where a file has no identity, its time may be that of
 * a listing which changes its time zone: a log of the same size is then recognised by its marks.
 */
export async function isUnchanged(
  files: FileAccess,
  { path, stat, stamp }: { path: string; stat: FileStat; stamp: string },
  stored: LogFile,
): Promise<boolean> {
  if (isSameStamp(stored.stamp, stamp)) return true;
  const { data: marks } = fileMarks.safeParse(stored.marks);
  const wasAllCounted = stored.stamp !== '' && stored.position === stat.size;
  if (stat.identity !== null || marks === undefined || !wasAllCounted) return false;
  const file = await OpenedFile.open(files, path, markRanges(marks.position));
  return file.stat.size === stat.size && (await hasMarks(file, marks));
}
