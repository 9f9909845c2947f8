import { type ByteSource, type LogFormat, readBlocks } from 'dayz-files';
import type { FilePort } from 'game-files';
import { SourceError } from '../../../files/errors.ts';
import type { MissingLines } from '../../../store/repositories/logs/log-files.ts';
import type { FolderFile } from './folder-listing.ts';
import type { LogCounter } from './log-counter.ts';
import { missingIn } from './missing-lines.ts';
import { readRest } from './read-rest.ts';
import { type ReadOptions, readToEnd } from './read-to-end.ts';
import type { RunBefore } from './run-before.ts';
import { readBefore, type RunParts } from './run-parts.ts';

interface FinishedLog {
  port: FilePort;
  format: LogFormat;
  file: FolderFile;
  source: ByteSource;
  /** The run that it continues; null: none. */
  run: RunParts | null;
  /** Knows the files beside it; not used where it holds no runs. */
  before: RunBefore;
}

/**
 * Reads a log that is not written any more to its end, after what it continues.
 * @returns the number of its own lines, and those that count nowhere
 * @throws SourceError when it is no such log
 */
export async function readLog(
  { port, format, file, source, run, before }: FinishedLog,
  counter: LogCounter,
  options: Pick<ReadOptions, 'onBlock' | 'signal'>,
): Promise<{ lines: number; unreadLines: number; missing: MissingLines[] }> {
  let blocks = readBlocks(source);
  if (run !== null) {
    const unfinished = await readBefore(port, format, run, counter);
    const own = run.parts.at(-1);
    blocks = own?.position ? readBlocks(source, own) : readRest(source, unfinished, format.recovery);
  }
  const { lines, unreadLines } = counter;
  if (format.holds === 'runs') blocks = before.blocks(file, blocks, () => counter.state()?.state ?? null);
  await readToEnd(source, counter, { ...options, blocks });
  const missing = missingIn(counter.headless);
  if (counter.content === 'other' && missing.length === 0)
    throw new SourceError(file.path, format.notThis ?? 'cannot be read');
  return { lines: counter.lines - lines, unreadLines: counter.unreadLines - unreadLines, missing };
}
