import type { LogFile } from '../../store/repositories/logs/log-files.ts';
import { fileMarks } from '../../files/file-marks.ts';
import { parseCheckpoint } from './checkpoint.ts';
import type { FolderFile } from './folder-listing.ts';
import type { FollowContext } from './follow-context.ts';
import type { LogFormat } from './log-format.ts';
import { timeOfStamp } from './log-stamp.ts';
import { RunBefore } from './run-before.ts';

/** Finds what the files of a server's folder continue: also the runs that are open in files as they are stored. */
export function runBeforeIn(
  { port, zone, timezone }: FollowContext,
  format: LogFormat,
  stored: ReadonlyMap<string, LogFile>,
  files: () => Promise<readonly FolderFile[]>,
): RunBefore {
  const open = [...stored.values()].flatMap(({ path, skipping, stamp, ...file }) => {
    const marks = fileMarks.safeParse(file.marks).data;
    const checkpoint = file.checkpoint === null ? null : parseCheckpoint(format, file.checkpoint);
    if (marks === undefined || checkpoint === null || checkpoint.timezone !== timezone) return [];
    const { state } = checkpoint;
    return [{ path, marks, skipping, state, changedAt: timeOfStamp(stamp), isInSight: false }];
  });
  return new RunBefore({ port, format, zone, files, open });
}
