import {
  type ByteSource,
  type LocalZone,
  type LogFormat,
  type LogStarts,
  maxLineBytes,
  readBlocks,
  type RestRun,
  runOfRest,
} from 'dayz-files';
import { type KnownRun, storedRest } from '../../../store/repositories/logs/run-copies.ts';

/**
 * How a file starts:
 * - `run`: with the header of a run, or its format has no runs;
 * - `rest`: with lines of a run whose header a tool has cut. They count as a run of their own, `rest`;
 * - `nobody`: with such lines, of which none names a player yet. Nothing of it counts so far;
 * - `too-short`: it has too few bytes to tell;
 * - `other`: it is no such log.
 */
export type FileStart =
  { kind: 'rest'; rest: RestRun } | { kind: 'run' | 'nobody' | 'too-short' | 'other'; rest: null };

interface StartOptions {
  zone: LocalZone;
  /** When the file was changed last, epoch milliseconds. */
  changedAt: number;
  /** Up to when lines of this file were counted before, epoch milliseconds; null or left out: none were. */
  countedUntil?: number | null;
  /** The stored runs of the server, asked for only if the file starts with a rest. */
  known: () => Promise<ReadonlyMap<string, KnownRun>>;
}

export async function readFileStart(
  { starts }: LogFormat,
  source: ByteSource,
  { zone, changedAt, countedUntil = null, known }: StartOptions,
): Promise<FileStart> {
  if (starts === undefined) return { kind: 'run', rest: null };
  let kind = await kindOfHead(starts, source, usualBytes);
  if (kind === 'too-short' || kind === 'other') kind = await kindOfHead(starts, source, maxLineBytes);
  if (kind !== 'rest') return { kind, rest: null };
  const lines = await starts.readRest(readBlocks(source));
  if (lines === null) return { kind: 'nobody', rest: null };
  const runs = await known();
  // A copy of a rest may have another time. It keeps the one under which it was stored first.
  const stored = storedRest(runs, lines.digest);
  if (stored !== null) return { kind, rest: stored };
  const rest = runOfRest(lines, zone, changedAt, countedUntil);
  // In the hour that autumn repeats, two rests may begin at the same local time. A header is the key of a run.
  while (runs.has(rest.header)) rest.header = aSecondLater(rest.header);
  return { kind, rest };
}

/** The first lines nearly always say how a file starts; a very long line needs more bytes (`maxLineBytes`). */
const usualBytes = 4096;

/** What the first bytes of a file say of its start. */
async function kindOfHead(
  starts: LogStarts,
  source: ByteSource,
  bytes: number,
): Promise<'run' | 'rest' | 'too-short' | 'other'> {
  const head = Buffer.allocUnsafe(bytes);
  const { bytesRead } = await source.read(head, 0, bytes, 0);
  const isWholeFile = bytesRead < bytes;
  return starts.startsWith(head.subarray(0, bytesRead), isWholeFile);
}

const aSecondLater = (header: string): string =>
  new Date(Date.parse(`${header}Z`) + 1_000).toISOString().slice(0, 19).replace('T', ' ');
