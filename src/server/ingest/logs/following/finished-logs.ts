import { basename } from 'node:path';
import { FileError, type FileMarks, readMarks } from 'game-files';
import { derivations } from '../../../store/repositories/logs/derivations.ts';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import { knownRuns } from '../../../store/repositories/logs/run-copies.ts';
import { RunsOfOthers } from '../../../store/repositories/logs/runs-of-others.ts';
import { fileErrorCode, SourceError, sourceProblem } from '../../../files/errors.ts';
import type { FolderFile } from '../reading/folder-listing.ts';
import type { FollowContext } from './follow-context.ts';
import { formatOf, type LogFormat } from 'dayz-files';
import { type CounterState, LogCounter } from '../reading/log-counter.ts';
import type { LogFolderReport } from './log-folder-report.ts';
import { missingText } from '../reading/missing-lines.ts';
import { readLog } from '../reading/read-log.ts';
import { openWhole } from '../reading/read-to-end.ts';
import { hasNoStart, stateToGoOn } from './resume-file.ts';
import type { RunBefore } from '../reading/run-before.ts';

/** A poll of a server's folder, as far as finished files are read in it. */
export interface FinishedPoll {
  context: FollowContext;
  /** The stored state of the files; receives the new one. */
  stored: Map<string, LogFile>;
  report: LogFolderReport;
  signal: AbortSignal | undefined;
}

interface FinishedOptions {
  before: RunBefore;
  formats: readonly LogFormat[];
  /** Receives why files could not be read, by path. */
  refused: Map<string, string>;
  /** Whether to take identities only, and leave runs, figures and positions unchanged. */
  identitiesOnly: boolean;
}

/** After so many files in a row the place that holds them is taken to be away; a later poll reads the others. */
const failuresUntilAway = 3;

/**
 * Reads finished files of a server's folder to their ends and passes the content to the writer.
 * @returns the paths of those that could be read
 */
export async function readFinished(
  { context, stored, report, signal }: FinishedPoll,
  files: readonly FolderFile[],
  { before, formats, refused, identitiesOnly }: FinishedOptions,
): Promise<string[]> {
  const { db, writer, port, serverId, projectId, zone, forgotten, isHistory, onProgress, onStored } = context;
  const read: string[] = [];
  if (files.length === 0) return read;
  const known = await knownRuns(db, serverId);
  const others = await RunsOfOthers.read(db, projectId, serverId);
  /** How many runs are left out, by the server that has them: a new server may be a copy of another one, with its logs. */
  const leftOut = new Map<string, number>();
  const bytesTotal = files.reduce((sum, { stat }) => sum + stat.size, 0);
  let bytesDone = 0;
  const name = files.length === 1 ? basename(files[0]?.path ?? '') : `${files.length} logs`;
  const onBlock = (bytes: number): void => {
    bytesDone += bytes;
    onProgress({ name, bytesDone, bytesTotal });
  };
  let failures = 0;
  for (const file of files) {
    const { path, stat, stamp } = file;
    const format = formatOf(formats, basename(path)) as LogFormat;
    const previous = stored.get(path) ?? null;
    let counter: LogCounter;
    let marks: FileMarks | null = null;
    let own: Awaited<ReturnType<typeof readLog>>;
    try {
      const source = await openWhole(port, path);
      // One that continued no log stays so.
      const isAlone = format.holds !== 'runs' || (previous !== null && hasNoStart(previous));
      const found = isAlone ? null : await before.partsWith(file, source);
      const left = found?.open ? await stateOf(context, format, stored.get(found.open.path)) : null;
      const run = found?.open && left === null ? null : found;
      counter = new LogCounter(format, { zone, forgotten, known, others, identitiesOnly, left });
      own = await readLog({ port, format, file, source, run, before }, counter, { onBlock, signal });
      // If an identity log grows after all, it is read again from its start: its last line may have been incomplete.
      if (format.holds === 'runs') marks = await readMarks(source, stat.size);
    } catch (error) {
      if (signal?.aborted === true) break;
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
      const other = known.has(run.header) ? null : others.serverOf(run);
      if (other !== null) leftOut.set(other, (leftOut.get(other) ?? 0) + 1);
      return other === null;
    });
    const { unreadKinds, lastEventAt } = counter;
    const { lines, unreadLines } = own;
    // What it continued is gone since it was counted.
    const isCounted = previous !== null && previous.position === stat.size && previous.missing.length === 0;
    const missing = isCounted ? [] : own.missing;
    const now: LogFile = {
      path,
      stamp,
      position: stat.size,
      skipping: false,
      marks,
      lines,
      unreadLines,
      unreadKinds,
      lastEventAt,
      checkpoint: null,
      missing,
      versions: derivations,
    };
    const state = identitiesOnly ? {} : { file: { now, previous } };
    const fileName = basename(path);
    // Rotation may finish a file before it is followed.
    const age = isHistory || stored.has(path) ? 'history' : 'live';
    writer.add({ fileName, changes, age, onStored: onStored.bind(null, path), ...state });
    await writer.storeIfFull();
    read.push(path);
    if (identitiesOnly) continue;
    stored.set(path, now);
    report.lines += lines;
    report.unreadLines += unreadLines;
    report.runs.known += changes.unchangedRuns;
    report.remarks.push(...missing.map((lines) => `${fileName}: ${missingText(lines)}`));
  }
  report.remarks.push(...Array.from(leftOut, leftOutText));
  return read;
}

const leftOutText = ([other, runs]: readonly [string, number]): string =>
  `${runs === 1 ? '1 run is' : `${runs} runs are`} left out, which the server "${other}" already has. ` +
  `If they are not its own, run "outpost server forget ${other}", and "outpost import adm" with these files`;

/** The state of an open run, from which another file continues; null: it cannot be used. */
async function stateOf(
  context: FollowContext,
  format: LogFormat,
  stored: LogFile | undefined,
): Promise<CounterState | null> {
  const left = stored && (await stateToGoOn(context, format, stored.path, stored));
  return left ? { ...left.state, unreadKinds: [] } : null;
}

/** Why a file cannot be read; null: the error is not the file's fault. */
export function unreadableReason(path: string, error: unknown): string | null {
  // At a stop, or when the config moved the files to another host.
  if (fileErrorCode(error) === 'ECLOSED') return null;
  const isOfFile = error instanceof SourceError || error instanceof FileError;
  return isOfFile ? sourceProblem(path, error) : null;
}
