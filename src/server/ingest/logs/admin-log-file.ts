import { basename } from 'node:path';
import type { KnownRun } from '../../store/log-runs.ts';
import { readAdminLog, type RunText } from '../../games/dayz/admin-log.ts';
import { notAnAdminLog, SourceError, sourceProblem } from '../errors.ts';
import type { FileSource, OpenSource } from '../files/file-source.ts';
import type { EventSink } from '../counting/events.ts';
import { readIdentityLog } from '../../games/dayz/identity-log.ts';
import type { LocalZone } from './local-clock.ts';
import { isIdentityLog } from './log-files.ts';
import type { PendingRun } from './pending-import.ts';
import { outlineRuns } from './run-outline.ts';
import { type SightedPerson, Sightings } from '../counting/sightings.ts';
import { RunTally } from '../counting/tally.ts';
import { UnreadExamples } from './unread-examples.ts';
import type { Vocabulary } from '../../games/dayz/vocabulary.ts';

/**
 * What became of a run: `new`; `longer`, replacing a shorter copy; `known`, the same or a shorter copy of what the
 * store has; `diverged`, another log under the same header, of which the longer one is kept.
 */
export type RunOutcome = 'new' | 'longer' | 'known' | 'diverged';

export interface AdminLogFileReport {
  file: string;
  kind: 'admin-log' | 'identities' | 'empty';
  runs: Record<RunOutcome, number>;
  lines: number;
  /** Lines that no rule knows, counted and skipped; not looked for in a file of which every run is known. */
  unreadLines: number;
  /** Lines before the file's first header, skipped. */
  strayLines: number;
  /** Some of the lines that no rule knows, masked, where they were asked for. */
  examples?: readonly string[];
}

/** What a whole file says; plain data. */
export interface FileReading {
  report: AdminLogFileReport;
  /** The copies with which its runs were compared, by header; null: none was known. */
  compared: Map<string, KnownRun | null>;
  /** The runs that are better than the copies known. */
  runs: PendingRun[];
  sightings: SightedPerson[];
}

/** A file, and its first header as far as one is known. */
export interface FileToRead {
  file: string;
  header: string | null;
}

export interface FileContext {
  open: OpenSource;
  zone: LocalZone;
  words: Vocabulary;
  /** The best copy of a run so far. */
  known: (header: string) => KnownRun | undefined;
  onBytes: (bytes: number, lines: number) => void;
  /** Reads who is who and nothing else: runs and figures stay as they are. */
  identitiesOnly?: boolean;
  /** Keeps lines that no rule knows, should anyone want to see some. */
  examples?: boolean;
  signal?: AbortSignal | undefined;
}

/** What came of a file: what it says, or why nothing can be taken from it. */
export type FileOutcome = FileReading | { failure: string };

/**
 * Reads a log of either kind.
 * @throws the signal's reason once it is aborted
 */
export async function readOutcome({ file, header }: FileToRead, context: FileContext): Promise<FileOutcome> {
  try {
    return await readLogFile(file, header, context);
  } catch (error) {
    context.signal?.throwIfAborted();
    return { failure: sourceProblem(file, error) };
  }
}

async function readLogFile(file: string, header: string | null, context: FileContext): Promise<FileReading> {
  const source = await context.open(file);
  try {
    if (isIdentityLog(file)) return await readIdentities(file, source, context);
    if (context.identitiesOnly === true) return await readModIdentities(file, source, context);
    const isOld = header !== null && context.known(header) !== undefined;
    return (isOld ? await readKnown(file, source, context) : null) ?? (await readRuns(file, source, context));
  } finally {
    source.close();
  }
}

export function noRuns(): Record<RunOutcome, number> {
  return { new: 0, longer: 0, known: 0, diverged: 0 };
}

async function readIdentities(
  file: string,
  source: FileSource,
  { zone, onBytes, signal }: FileContext,
): Promise<FileReading> {
  const sightings = new Sightings();
  let lines = 0;
  await readIdentityLog(
    source,
    zone,
    (event) => {
      if (event.kind === 'identity') sightings.identity(event);
    },
    (bytes, count) => {
      lines += count;
      onBytes(bytes, count);
    },
    signal,
  );
  return identitiesOf(file, lines, sightings);
}

/** What mods say in an admin log of who is who. */
async function readModIdentities(
  file: string,
  source: FileSource,
  context: FileContext,
): Promise<FileReading> {
  const { zone, words, onBytes, signal } = context;
  const sightings = new Sightings();
  let lines = 0;
  const sink: EventSink = (event) => {
    if (event.kind === 'identity') sightings.identity(event);
  };
  await readAdminLog(
    source,
    zone,
    { begin: () => ({ sink, prefixBytes: 0 }), end: (run) => void (lines += run.lines) },
    onBytes,
    signal,
    words,
  );
  return identitiesOf(file, lines, sightings);
}

function identitiesOf(file: string, lines: number, sightings: Sightings): FileReading {
  const report = {
    file,
    kind: 'identities',
    runs: noRuns(),
    lines,
    unreadLines: 0,
    strayLines: 0,
  } as const;
  return { report, compared: new Map(), runs: [], sightings: [...sightings.all] };
}

/** Passes over a file that brings nothing: an import that was stopped comes by thousands of them. */
async function readKnown(
  file: string,
  source: FileSource,
  { known, onBytes, signal }: FileContext,
): Promise<FileReading | null> {
  let bytesDone = 0;
  let lines = 0;
  const outlines = await outlineRuns(
    source,
    (bytes, count) => {
      bytesDone += bytes;
      lines += count;
    },
    signal,
  );
  // It is another file by now.
  if (outlines.length === 0) return null;
  const runs = noRuns();
  const compared: FileReading['compared'] = new Map();
  for (const run of outlines) {
    const copy = known(run.header);
    if (copy === undefined || !isSame(run, copy) || !copy.isCurrent) return null;
    compared.set(run.header, copy);
    runs[compare({ ...run, prefixDigest: run.digest }, copy)] += 1;
  }
  onBytes(bytesDone, lines);
  const report = { file, kind: 'admin-log', runs, lines, unreadLines: 0, strayLines: 0 } as const;
  return { report, compared, runs: [], sightings: [] };
}

async function readRuns(file: string, source: FileSource, context: FileContext): Promise<FileReading> {
  const { zone, words, onBytes, signal } = context;
  const fileName = basename(file);
  const found = new Map<string, PendingRun>();
  const compared: FileReading['compared'] = new Map();
  const runs = noRuns();
  const examples = new UnreadExamples();
  const sightings = new Sightings();
  let lines = 0;
  let unreadLines = 0;
  let tally = new RunTally();
  let known: KnownRun | undefined;
  const summary = await readAdminLog(
    source,
    zone,
    {
      begin(header) {
        const current = (tally = new RunTally());
        const earlier = found.get(header);
        known = earlier && { ...earlier, isCurrent: true };
        if (known === undefined) {
          known = context.known(header);
          compared.set(header, known ?? null);
        }
        return { sink: (event) => current.add(event), prefixBytes: known?.bytes ?? 0 };
      },
      end(run) {
        lines += run.lines;
        unreadLines += run.unreadLines;
        runs[compare(run, known)] += 1;
        // Of two copies of a run the longer one counts, but whoever either names was there.
        if (known === undefined || !isSame(run, known) || !known.isCurrent) {
          sightings.merge(tally.sightings.all);
        }
        if (known !== undefined && !isBetter(run, known)) return;
        found.set(run.header, { ...run, fileName, players: tally.rows() });
      },
      ...(context.examples && { unread: (line) => examples.add(line, tally.sightings.names()) }),
    },
    onBytes,
    signal,
    words,
  );
  if (summary.runs === 0 && !summary.empty) throw new SourceError(file, notAnAdminLog);
  const kind = summary.runs === 0 ? 'empty' : 'admin-log';
  const strayLines = summary.empty ? 0 : summary.strayLines;
  const report = {
    file,
    kind,
    runs,
    lines,
    unreadLines,
    strayLines,
    ...(context.examples && { examples: examples.all }),
  } as const;
  return { report, compared, runs: [...found.values()], sightings: [...sightings.all] };
}

/** Whether the store can take a copy's figures in place of those that it has. */
function isBetter(run: RunText, known: KnownRun): boolean {
  return run.bytes > known.bytes || (isSame(run, known) && !known.isCurrent);
}

function isSame(run: Pick<RunText, 'bytes' | 'digest'>, known: KnownRun): boolean {
  return run.bytes === known.bytes && (known.digest === '' || run.digest === known.digest);
}

function compare(
  run: Pick<RunText, 'bytes' | 'digest' | 'prefixDigest'>,
  known: KnownRun | undefined,
): RunOutcome {
  if (known === undefined) return 'new';
  // Of a shorter copy only the longer one's digest is at hand: it is taken at its header's word.
  if (run.bytes < known.bytes) return 'known';
  if (known.digest !== '' && run.prefixDigest !== known.digest) return 'diverged';
  return run.bytes === known.bytes ? 'known' : 'longer';
}
