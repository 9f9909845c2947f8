import { basename } from 'node:path';
import { FileError, type FileMarks, readMarks } from 'game-files';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import { knownRuns, noteRuns } from '../../../store/repositories/logs/run-copies.ts';
import { readRunsOfOthers, serverWithRun } from '../../../store/repositories/logs/runs-of-others.ts';
import { fileErrorCode, SourceError, sourceProblem } from '../../../files/errors.ts';
import { countLog } from '../reading/count-log.ts';
import type { FolderFile } from '../reading/folder-listing.ts';
import type { LogCounter } from '../reading/log-counter.ts';
import { openWhole } from './followed-file.ts';
import type { FollowContext } from './log-follower.ts';
import type { PollReport } from './log-folder-report.ts';

/** A poll of a server's folder, as far as finished files are read in it. */
interface FinishedPoll {
  context: FollowContext;
  /** The stored state of the files; receives the new one. */
  stored: Map<string, LogFile>;
  /** Whether no log of the server had been read before, as after a restore. */
  isHistory: boolean;
  report: PollReport;
  signal: AbortSignal | undefined;
}

/** After so many files in a row the place that holds them is taken to be away; a later poll reads the others. */
const failuresUntilAway = 3;

/**
 * Reads finished files of a server's folder to their ends and passes the content to the writer.
 * @param refused receives why files could not be read, by path
 */
export async function readFinished(
  { context, stored, isHistory, report, signal }: FinishedPoll,
  finished: readonly FolderFile[],
  refused: Map<string, string>,
): Promise<void> {
  if (finished.length === 0) return;
  const { db, writer, files, serverId, projectId, zone, forgotten, now, onProgress } = context;
  const known = await knownRuns(db, serverId);
  const others = await readRunsOfOthers(db, projectId, serverId);
  /** How many runs are left out, by the server that has them: a new server may be a copy of another one, with its logs. */
  const leftOut = new Map<string, number>();
  const bytesTotal = finished.reduce((sum, { stat }) => sum + stat.size, 0);
  let bytesDone = 0;
  const name = finished.length === 1 ? basename(finished[0]?.path ?? '') : `${finished.length} logs`;
  const onBlock = (bytes: number): void => {
    bytesDone += bytes;
    onProgress({ name, bytesDone, bytesTotal });
  };
  let failures = 0;
  for (const { path, format, stat, stamp, changedAt } of finished) {
    let counter: LogCounter;
    let marks: FileMarks | null;
    try {
      const source = await openWhole(files, path);
      counter = await countLog(format, source, path, {
        zone,
        forgotten,
        changedAt: changedAt ?? now(),
        known,
        others,
        onBlock,
        signal,
      });
      marks = await readMarks(source, stat.size);
    } catch (error) {
      if (signal?.aborted === true) return;
      const problem = unreadableReason(path, error);
      if (problem === null) throw error;
      refused.set(path, problem);
      failures = fileErrorCode(error) === 'EREMOTE' ? failures + 1 : 0;
      if (failures === failuresUntilAway) break;
      continue;
    }
    failures = 0;
    const changes = counter.take(true);
    changes.runs = changes.runs.filter((run) => {
      const other = serverWithRun(others, known, run);
      if (other !== null) leftOut.set(other, (leftOut.get(other) ?? 0) + 1);
      return other === null;
    });
    noteRuns(known, changes.runs);
    const file = { path, stamp, position: stat.size, marks, ...counter.summary };
    await writer.add({
      changes,
      // Rotation may finish a file before it is followed.
      age: isHistory ? 'history' : 'live',
      file,
      onStored: (header, outcome) => report.noteRun(path, header, outcome),
    });
    stored.set(path, file);
    report.lines += file.lines;
    report.unreadLines += file.unreadLines;
  }
  report.remarks.push(...Array.from(leftOut, leftOutText));
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
