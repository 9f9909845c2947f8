import { basename } from 'node:path';
import { derivations } from '../../store/repositories/logs/derivations.ts';
import type { LogFile, MissingLines } from '../../store/repositories/logs/log-files.ts';
import { knownRuns } from '../../store/repositories/logs/run-copies.ts';
import { fileErrorCode, SourceError, sourceProblem } from '../../files/errors.ts';
import { readBlocks } from '../../files/blocks.ts';
import { type FileMarks, readMarks } from '../../files/file-marks.ts';
import type { FolderFile } from './folder-listing.ts';
import type { FollowContext } from './follow-context.ts';
import { formatOf, type LogFormat } from './log-format.ts';
import { LogCounter } from './log-counter.ts';
import { missingIn, missingText } from './missing-lines.ts';
import { openWhole, readToEnd } from './read-to-end.ts';
import { readStart } from './run-parts.ts';
import type { StartsOfRuns } from './starts-of-runs.ts';

interface FinishedOptions {
  starts: StartsOfRuns;
  formats: readonly LogFormat[];
  /** The stored state of the files. */
  stored: ReadonlyMap<string, LogFile>;
  /** Whether to take identities only, and leave runs, figures and positions unchanged. */
  identitiesOnly: boolean;
  signal: AbortSignal | undefined;
}

interface FinishedLogs {
  read: LogFile[];
  /** Why other files could not be read, by path. */
  refused: Map<string, string>;
  lines: number;
  unreadLines: number;
  unchangedRuns: number;
  /** Messages for the owner about files. */
  remarks: string[];
}

/** After so many files in a row the place that holds them is taken to be away; a later poll reads the others. */
const failuresUntilAway = 3;

/** Reads finished files of a server's folder to their ends and passes the content to the writer. */
export async function readFinished(
  context: FollowContext,
  files: readonly FolderFile[],
  { starts, formats, stored, identitiesOnly, signal }: FinishedOptions,
): Promise<FinishedLogs> {
  const { db, writer, port, serverId, zone, forgotten, isHistory, onProgress, onStored } = context;
  const result: FinishedLogs = {
    read: [],
    refused: new Map(),
    lines: 0,
    unreadLines: 0,
    unchangedRuns: 0,
    remarks: [],
  };
  if (files.length === 0) return result;
  const known = await knownRuns(db, serverId);
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
    let before = { lines: 0, unreadLines: 0 };
    let marks: FileMarks | null = null;
    let missing: MissingLines[] = [];
    try {
      const source = await openWhole(port, path);
      const run = await starts.of(file, format, source);
      const left = run?.left ?? null;
      counter = new LogCounter(format, { zone, forgotten, known, identitiesOnly, left });
      let blocks = readBlocks(source);
      if (run !== null) {
        blocks = await readStart(port, format, run, source, (block) => counter.read(block));
        counter.startRest();
        before = { lines: counter.lines, unreadLines: counter.unreadLines };
      }
      if (format.holds === 'runs') blocks = starts.before(format).blocks(file, blocks);
      await readToEnd(source, counter, { onBlock, signal, blocks });
      missing = missingIn(counter.headless);
      // If an identity log grows after all, it is read again from its start: its last line may have been incomplete.
      if (format.holds === 'runs') marks = await readMarks(source, stat.size);
      if (counter.content === 'other' && missing.length === 0)
        throw new SourceError(path, format.notThis ?? 'cannot be read');
    } catch (error) {
      if (signal?.aborted === true) break;
      const problem = unreadableReason(path, error);
      if (problem === null) throw error;
      result.refused.set(path, problem);
      failures = fileErrorCode(error) === 'EREMOTE' ? failures + 1 : 0;
      if (failures === failuresUntilAway) break;

      continue;
    }
    failures = 0;
    const changes = counter.take(true);
    const { examples, lastEventAt } = counter;
    const lines = counter.lines - before.lines;
    const unreadLines = counter.unreadLines - before.unreadLines;
    // What it continued is gone since it was counted.
    const isCounted = previous !== null && previous.position === stat.size && previous.missing.length === 0;
    if (isCounted) missing = [];
    const now: LogFile = {
      path,
      stamp,
      position: stat.size,
      skipping: false,
      marks,
      lines,
      unreadLines,
      examples,
      lastEventAt,
      checkpoint: null,
      missing,
      versions: derivations,
    };
    const state = identitiesOnly ? {} : { file: { now, previous } };
    const fileName = basename(path);
    // Rotation may finish a file before it is followed.
    const isLive = !isHistory && !stored.has(path);
    writer.add({ fileName, changes, isLive, onStored: onStored.bind(null, path), ...state });
    await writer.storeIfFull();
    result.read.push(now);
    if (identitiesOnly) continue;
    result.lines += lines;
    result.unreadLines += unreadLines;
    result.unchangedRuns += changes.unchangedRuns;
    result.remarks.push(...missing.map((lines) => `${fileName}: ${missingText(lines)}`));
  }
  return result;
}

/** Why a file cannot be read; null: the error is not the file's fault. */
export function unreadableReason(path: string, error: unknown): string | null {
  // At a stop, or when the config moved the files to another host.
  if (fileErrorCode(error) === 'ECLOSED') return null;
  const isOfFile = error instanceof SourceError || (error as NodeJS.ErrnoException).syscall !== undefined;
  return isOfFile ? sourceProblem(path, error) : null;
}
