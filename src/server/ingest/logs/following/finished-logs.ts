import { basename } from 'node:path';
import { FileError, readMarks } from 'game-files';
import { noteRuns } from '../../../store/repositories/logs/run-copies.ts';
import { fileErrorCode, SourceError, sourceProblem } from '../../../files/errors.ts';
import { countLog, readComparedRuns } from '../reading/count-log.ts';
import type { FolderFile } from '../reading/folder-listing.ts';
import { openWhole } from './followed-file.ts';
import type { FollowContext } from './log-follower.ts';
import type { LogFolderReport } from './log-folder-report.ts';

/** A poll of a server's folder. */
export interface Poll {
  context: FollowContext;
  /** Whether no log of the server had been read before, as after a restore. */
  isHistory: boolean;
  report: LogFolderReport;
  signal: AbortSignal | undefined;
}

/** After so many failures of its host in a row the place is taken to be away; a later poll reads the other files. */
const failuresUntilAway = 3;

/**
 * Reads finished files of a server's folder to their ends and passes the content to the writer.
 * @param refused receives why files could not be read, by path
 */
export async function readFinished(
  { context, isHistory, report, signal }: Poll,
  finished: readonly FolderFile[],
  refused: Map<string, string>,
): Promise<void> {
  if (finished.length === 0) return;
  const { db, writer, files, stored, onProgress } = context;
  const compared = await readComparedRuns(db, context);
  /** How many runs are left out, by the server that has them. */
  const leftOutRuns = new Map<string, number>();
  const bytesTotal = finished.reduce((sum, { stat }) => sum + stat.size, 0);
  let bytesDone = 0;
  const name = finished.length === 1 ? basename(finished[0]?.path ?? '') : `${finished.length} logs`;
  const onBlock = (bytes: number): void => {
    bytesDone += bytes;
    onProgress({ name, bytesDone, bytesTotal });
  };
  let hostFailures = 0;
  for (const log of finished) {
    const { path, stat, stamp } = log;
    let read;
    try {
      const source = await openWhole(files, path);
      const counted = await countLog(log, source, compared, { ...context, onBlock, signal });
      read = { ...counted, marks: await readMarks(source, stat.size) };
    } catch (error) {
      if (signal?.aborted === true) return;
      const problem = unreadableReason(path, error);
      if (problem === null) throw error;
      refused.set(path, problem);
      hostFailures = fileErrorCode(error) === 'EREMOTE' ? hostFailures + 1 : 0;
      if (hostFailures === failuresUntilAway) break;
      continue;
    }
    hostFailures = 0;
    const { changes, leftOut, summary, marks } = read;
    noteRuns(compared.known, changes.runs);
    for (const { serverId } of leftOut) leftOutRuns.set(serverId, (leftOutRuns.get(serverId) ?? 0) + 1);
    const file = { path, stamp, position: stat.size, marks, ...summary };
    await writer.add({
      changes,
      // Rotation may finish a file before it is followed.
      age: isHistory ? 'history' : 'live',
      file,
      onStored: (outcome) => (report.runs[outcome] += 1),
    });
    stored.set(path, file);
    report.lines += file.lines;
    report.unreadLines += file.unreadLines;
  }
  report.remarks.push(...Array.from(leftOutRuns, leftOutText));
}

const leftOutText = ([other, runs]: readonly [string, number]): string =>
  `${runs === 1 ? '1 run is' : `${runs} runs are`} left out, which the server "${other}" already has. ` +
  `If they are not its own, run "outpost server forget ${other}", and "outpost import adm" with these files`;

/** Why a file cannot be read; null: the error is not the file's fault. */
export function unreadableReason(path: string, error: unknown): string | null {
  // At a stop, or when the config moved the files to another host.
  if (fileErrorCode(error) === 'ECLOSED') return null;
  const isOfFile = error instanceof SourceError || error instanceof FileError;
  return isOfFile ? sourceProblem(path, error) : null;
}
