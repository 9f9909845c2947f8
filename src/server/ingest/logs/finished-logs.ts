import { basename } from 'node:path';
import { derivations } from '../../store/derivations.ts';
import type { LogFile } from '../../store/log-files.ts';
import { knownRuns } from '../../store/run-copies.ts';
import { SourceError, sourceProblem } from '../errors.ts';
import { type FileMarks, readMarks } from '../files/file-marks.ts';
import type { FolderFile } from './folder-listing.ts';
import type { FollowContext } from './follow-context.ts';
import { formatOf, type LogFormat } from './log-format.ts';
import { LogReading } from './log-reading.ts';
import { openWhole, readToEnd } from './read-to-end.ts';

interface FinishedOptions {
  formats: readonly LogFormat[];
  /** The files as the store knows them. */
  stored: ReadonlyMap<string, LogFile>;
  /** Whether to take only who is who, and to leave runs, figures and how far the files were read as they are. */
  identitiesOnly: boolean;
  signal: AbortSignal | undefined;
}

export interface FinishedLogs {
  /** Those that could be read. */
  read: LogFile[];
  /** Why others could not, by path. */
  refused: Map<string, string>;
  lines: number;
  unreadLines: number;
  unchangedRuns: number;
}

/** Reads finished files of a server's folder to their ends and hands what they say to the writer. */
export async function readFinished(
  { db, writer, port, serverId, zone, onProgress, onStored }: FollowContext,
  files: readonly FolderFile[],
  { formats, stored, identitiesOnly, signal }: FinishedOptions,
): Promise<FinishedLogs> {
  const result: FinishedLogs = { read: [], refused: new Map(), lines: 0, unreadLines: 0, unchangedRuns: 0 };
  if (files.length === 0) return result;
  const known = await knownRuns(db, serverId);
  const bytesTotal = files.reduce((sum, { stat }) => sum + stat.size, 0);
  let bytesDone = 0;
  const name = files.length === 1 ? basename(files[0]?.path ?? '') : `${files.length} logs`;
  const onBlock = (bytes: number): void => {
    bytesDone += bytes;
    onProgress({ name, bytesDone, bytesTotal });
  };
  for (const { path, stat, stamp } of files) {
    const format = formatOf(formats, basename(path)) as LogFormat;
    const reading = new LogReading(format, { zone, known, identitiesOnly });
    let marks: FileMarks | null = null;
    try {
      const source = await openWhole(port, path);
      await readToEnd(source, reading, { onBlock, signal });
      // A log of identities that grows after all is read again from its start: its last line may have been half a line.
      if (format.holds === 'runs') marks = await readMarks(source, stat.size);
      if (reading.content === 'other') throw new SourceError(path, format.notThis ?? 'cannot be read');
    } catch (error) {
      if (signal?.aborted === true) break;
      const problem = readingProblem(path, error);
      if (problem === null) throw error;
      result.refused.set(path, problem);
      continue;
    }
    const changes = reading.take(true);
    const { lines, unreadLines, examples, lastEventAt } = reading;
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
      versions: derivations,
    };
    const file = identitiesOnly ? {} : { file: { now, former: stored.get(path) ?? null } };
    const fileName = basename(path);
    writer.add({ fileName, changes, onStored: onStored.bind(null, path), ...file });
    await writer.storeIfFull();
    result.read.push(now);
    if (identitiesOnly) continue;
    result.lines += lines;
    result.unreadLines += unreadLines;
    result.unchangedRuns += changes.unchangedRuns;
  }
  return result;
}

/** What keeps a file from being read; null: it is not the file's fault. */
export function readingProblem(path: string, error: unknown): string | null {
  const isOfFile = error instanceof SourceError || (error as NodeJS.ErrnoException).syscall !== undefined;
  return isOfFile ? sourceProblem(path, error) : null;
}
