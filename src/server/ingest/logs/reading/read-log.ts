import {
  type ByteSource,
  type LocalZone,
  type LogFormat,
  type LogStarts,
  maxLineBytes,
  readBlocks,
  readBytes,
  type RestRun,
  runOfRest,
} from 'dayz-files';
import { type FileAccess, OpenedFile } from 'game-files';
import { SourceError } from '../../../files/errors.ts';
import { type KnownRun, storedRest } from '../../../store/repositories/logs/run-copies.ts';
import { LogCounter, type CounterOptions } from './log-counter.ts';

interface RestOptions {
  zone: LocalZone;
  /** When the file was changed last, epoch milliseconds. */
  changedAt: number;
  /** Up to when lines of this file were counted before, epoch milliseconds; null or left out: none were. */
  countedUntil?: number | null;
  /** The stored runs of the server: a rest that was stored already keeps the time it has there. */
  known: () => Promise<ReadonlyMap<string, KnownRun>>;
}

/**
 * The run to which the first lines of a file belong if no header precedes them (a rest). Null: a header does, or the file is no
 * such log; `too-short`: it is too short to tell; `nobody`: its lines name nobody so far.
 */
export async function findRest(
  format: LogFormat,
  source: ByteSource,
  { zone, changedAt, countedUntil = null, known }: RestOptions,
): Promise<RestRun | 'too-short' | 'nobody' | null> {
  const start = await startOf(format, source);
  if (start !== 'rest') return start === 'too-short' ? start : null;
  const rest = (await format.starts?.readRest(readBlocks(source))) ?? null;
  if (rest === null) return 'nobody';
  const runs = await known();
  const stored = storedRest(runs, rest.digest);
  if (stored !== null) return stored;
  const run = runOfRest(rest, zone, changedAt, countedUntil);
  // In the hour that autumn repeats, two rests may begin at the same local time. A header is the key of a run.
  while (runs.has(run.header)) run.header = aSecondLater(run.header);
  return run;
}

const aSecondLater = (header: string): string =>
  new Date(Date.parse(`${header}Z`) + 1_000).toISOString().slice(0, 19).replace('T', ' ');

/** What a file starts with (`LogStarts`). */
export async function startOf(
  { starts }: LogFormat,
  source: ByteSource,
): Promise<ReturnType<LogStarts['startsWith']>> {
  if (starts === undefined) return 'run';
  // The first lines nearly always say so; a very long line needs more bytes.
  const usually = starts.startsWith(...(await headOf(source, usualBytes)));
  if (usually === 'run' || usually === 'rest') return usually;
  return starts.startsWith(...(await headOf(source, maxLineBytes)));
}

const usualBytes = 4096;

/** The first bytes of a file, and whether they are all of it. */
async function headOf(file: ByteSource, bytes: number): Promise<[head: Buffer, isAll: boolean]> {
  const head = Buffer.allocUnsafe(bytes);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  return [head.subarray(0, bytesRead), bytesRead < head.length];
}

interface CountOptions extends Omit<CounterOptions, 'rest' | 'roster'> {
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
  const rest = await findRest(format, source, { zone, changedAt, known: async () => known });
  const counter = new LogCounter(format, { ...options, rest: typeof rest === 'string' ? null : rest });
  for await (const block of readBlocks(source)) {
    signal?.throwIfAborted();
    const before = counter.lines;
    counter.read(block);
    onBlock?.(block.bytes.length, counter.lines - before);
  }
  counter.end();
  if (counter.content === 'other') throw new SourceError(path, format.mismatch ?? 'cannot be read');
  return counter;
}

/** Opens a file to read it from its start: its first bytes come with the same request. */
export async function openWhole(files: FileAccess, path: string): Promise<OpenedFile> {
  return await OpenedFile.open(files, path, [{ offset: 0, length: readBytes }]);
}
