import { createHash } from 'node:crypto';
import type { FileAccess, FileRange, FileStat } from '../file-access.ts';

/**
 * Two stamps are equal if a file is still in the same state. For comparisons within one process: a file's identity may
 * change when a share is mounted again.
 */
export function stampOf({ size, changedAt, identity }: FileStat): string {
  return `${size} ${changedAt} ${identity}`;
}

/** This much of a file's beginning and end distinguishes its versions. */
const edgeBytes = 64 * 1024;

/**
 * The stamp of a file that may change without changing its size. Where its time is not known, the stamp holds a digest.
 * @param ranges what the digest is of; default: how the file begins and ends
 */
export async function contentStamp(
  files: FileAccess,
  path: string,
  ranges: (stat: FileStat) => FileRange[] = edges,
): Promise<string> {
  const stat = await files.stat(path);
  if (stat.changedAt !== null) return stampOf(stat);
  const { parts } = await files.read(path, ranges(stat));
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return `${stampOf(stat)} ${digest.digest('base64url')}`;
}

function edges({ size }: FileStat): FileRange[] {
  return [
    { offset: 0, length: edgeBytes },
    { offset: Math.max(edgeBytes, size - edgeBytes), length: edgeBytes },
  ];
}
