import { type ByteSource, type LocalZone, readBlocks } from 'dayz-files';
import { SourceError } from '../../../files/errors.ts';
import type { Database } from '../../../store/engine/database.ts';
import { type KnownRun, knownRuns } from '../../../store/repositories/logs/run-copies.ts';
import {
  readRunsOfOthers,
  type RunsOfOthers,
  serverWithRun,
} from '../../../store/repositories/logs/runs-of-others.ts';
import type { ForgottenList } from '../../../store/repositories/rights/forgotten-list.ts';
import { readFileStart } from './file-start.ts';
import type { FolderFile } from './folder-listing.ts';
import { type LogChanges, LogCounter } from './log-counter.ts';

/** The runs with which those of a log are compared. */
interface ComparedRuns {
  /** Those of the server itself: the stored ones, and what callers note of those counted since (`noteRuns`). */
  known: Map<string, KnownRun>;
  /** Those of the project's other servers. */
  others: RunsOfOthers;
}

export async function readComparedRuns(
  db: Database,
  { projectId, serverId }: { projectId: string; serverId: string },
): Promise<ComparedRuns> {
  const known = await knownRuns(db, serverId);
  return { known, others: await readRunsOfOthers(db, projectId, serverId) };
}

interface CountOptions {
  zone: LocalZone;
  forgotten: ForgottenList;
  now: () => number;
  /** Called with the bytes and lines of each block. */
  onBlock?: (bytes: number, lines: number) => void;
  signal?: AbortSignal | undefined;
}

/** What was counted of a log. */
interface CountedLog {
  changes: LogChanges;
  /** Runs that are not in `changes`, because another server of the project has them. */
  leftOut: { run: LogChanges['runs'][number]; serverId: string }[];
  summary: LogCounter['summary'];
  isEmpty: boolean;
}

/**
 * Counts a log that is not written any more, from start to end. Its last line counts even if it is unfinished.
 * @throws SourceError when it is no such log; the signal's reason at the next block once it is aborted
 */
export async function countLog(
  { path, format, changedAt }: Pick<FolderFile, 'path' | 'format' | 'changedAt'>,
  source: ByteSource,
  { known, others }: ComparedRuns,
  { zone, forgotten, now, onBlock, signal }: CountOptions,
): Promise<CountedLog> {
  const startOptions = { zone, changedAt: changedAt ?? now(), known: async () => known };
  const { rest } = await readFileStart(format, source, startOptions);
  const knownBytes = (header: string): number =>
    known.get(header)?.bytes ?? others.get(header)?.[0]?.bytes ?? 0;
  const counter = new LogCounter(format, { zone, forgotten, rest, knownBytes });
  for await (const block of readBlocks(source)) {
    signal?.throwIfAborted();
    const linesBefore = counter.lines;
    counter.read(block);
    onBlock?.(block.bytes.length, counter.lines - linesBefore);
  }
  counter.end();
  const { content, summary } = counter;
  if (content === 'other') throw new SourceError(path, format.mismatch ?? 'cannot be read');
  const changes = counter.take();
  const leftOut = changes.runs.flatMap((run) => {
    const serverId = serverWithRun(others, known, run);
    return serverId === null ? [] : [{ run, serverId }];
  });
  if (leftOut.length > 0)
    changes.runs = changes.runs.filter((each) => leftOut.every(({ run }) => run !== each));
  return { changes, leftOut, summary, isEmpty: content === 'nothing' };
}
