import { basename } from 'node:path';
import { fileMarks } from 'game-files';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { type FolderFile, isNewer } from '../reading/folder-listing.ts';
import type { FollowContext } from './follow-context.ts';
import { formatOf, type LogFormat } from 'dayz-files';
import { timeOfStamp } from '../reading/log-stamp.ts';
import { RunBefore } from '../reading/run-before.ts';

/** The paths of the logs that are followed on after a start: those in which something was left open. */
export function openLogs(formats: readonly LogFormat[], stored: ReadonlyMap<string, LogFile>): string[] {
  const latest = latestIdentities(formats, stored);
  return [...stored.values()].flatMap(({ path, checkpoint }) => {
    const format = formatOf(formats, basename(path));
    if (checkpoint === null || format === null) return [];
    return format.holds === 'identities' && !latest.has(path) ? [] : [path];
  });
}

/** Of the identity logs that were read, the latest of each format: it may have been renamed. */
function latestIdentities(formats: readonly LogFormat[], stored: ReadonlyMap<string, LogFile>): Set<string> {
  const latest = new Map<LogFormat, { path: string; changedAt: number | null }>();
  for (const [path, { stamp }] of stored) {
    const format = formatOf(formats, basename(path));
    if (format?.holds !== 'identities') continue;
    const file = { path, changedAt: timeOfStamp(stamp) };
    const known = latest.get(format);
    if (known === undefined || isNewer(file, known)) latest.set(format, file);
  }
  return new Set(Array.from(latest.values(), ({ path }) => path));
}

/** Finds what the files of a server's folder continue: also the runs that are open in files as they are stored. */
export function runBeforeIn(
  { port, zone, timezone }: FollowContext,
  format: LogFormat,
  stored: ReadonlyMap<string, LogFile>,
  files: () => Promise<readonly FolderFile[]>,
): RunBefore {
  const unfinished = [...stored.values()].filter(({ checkpoint }) => checkpoint !== null);
  const open = unfinished.flatMap(({ path, skipping, stamp, ...file }) => {
    const marks = fileMarks.safeParse(file.marks).data;
    const checkpoint = parseCheckpoint(format, file.checkpoint);
    if (marks === undefined || checkpoint === null || checkpoint.timezone !== timezone) return [];
    const { state } = checkpoint;
    return [{ path, marks, skipping, state, changedAt: timeOfStamp(stamp), isInSight: false }];
  });
  return new RunBefore({ port, format, zone, files, open });
}
