import { type ByteSource, type LogFormat, readBlocks } from 'dayz-files';
import { SourceError } from '../../../files/errors.ts';
import type { KnownRun } from '../../../store/repositories/logs/run-copies.ts';
import { readFileStart } from './file-start.ts';
import { LogCounter, type CounterOptions } from './log-counter.ts';

interface CountOptions extends Omit<CounterOptions, 'rest' | 'roster'> {
  /** When the file was changed last, epoch milliseconds. */
  changedAt: number;
  known: ReadonlyMap<string, KnownRun>;
  /** Called with the bytes and lines of each block. */
  onBlock?: ((bytes: number, lines: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Counts a log that is not written any more, from start to end. Its last line counts even if it is unfinished.
 * @throws SourceError when it is no such log; the signal's reason at the next block once it is aborted
 */
export async function countLog(
  format: LogFormat,
  source: ByteSource,
  path: string,
  { changedAt, onBlock, signal, ...options }: CountOptions,
): Promise<LogCounter> {
  const { zone, known } = options;
  const { rest } = await readFileStart(format, source, { zone, changedAt, known: async () => known });
  const counter = new LogCounter(format, { ...options, rest });
  for await (const block of readBlocks(source)) {
    signal?.throwIfAborted();
    const linesBefore = counter.lines;
    counter.read(block);
    onBlock?.(block.bytes.length, counter.lines - linesBefore);
  }
  counter.end();
  if (counter.content === 'other') throw new SourceError(path, format.mismatch ?? 'cannot be read');
  return counter;
}
