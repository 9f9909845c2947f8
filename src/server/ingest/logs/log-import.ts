import { basename, dirname, resolve } from 'node:path';
import type { Database } from '../../store/engine/database.ts';
import type { MissingLines } from '../../store/repositories/logs/log-files.ts';
import { knownRuns, noRuns, type RunOutcome } from '../../store/repositories/logs/run-copies.ts';
import { RunsOfOthers } from '../../store/repositories/logs/runs-of-others.ts';
import { findOwnServer } from '../../store/repositories/projects/servers.ts';
import {
  ForgottenList,
  ListChangedError,
  readForgottenList,
} from '../../store/repositories/rights/forgotten-list.ts';
import type { GameEvent } from '../counting/events.ts';
import { sourceProblem } from '../../files/errors.ts';
import type { ByteSource } from '../../files/blocks.ts';
import { directPort, openDirect } from '../../files/direct-files.ts';
import { eventsFormat } from './formats/events-format.ts';
import { LocalZone } from './formats/local-clock.ts';
import { requireFormats, type ListedFile, listFiles } from './reading/import-files.ts';
import type { LogFormat, LogFormats } from './formats/log-format.ts';
import { LogCounter } from './reading/log-counter.ts';
import { LogWriter } from './writing/log-writer.ts';
import { missingText } from './reading/missing-lines.ts';
import { readLog } from './reading/read-log.ts';
import { readToEnd } from './reading/read-to-end.ts';
import { RunBefore } from './reading/run-before.ts';
import { joinKinds, type UnreadKind } from './reading/unread-examples.ts';

export interface LogImport {
  serverId: string;
  formats: LogFormats;
  files: readonly string[];
  /** Whether to read the identity logs in the folders of the others; default true. */
  beside?: boolean;
  onProgress?: (progress: ImportProgress) => void;
  now?: () => number;
  monotonic?: () => number;
  /** Stops at the next block. Files that were read completely are kept, the current one is discarded. */
  signal?: AbortSignal;
}

/** The progress of an import; `lines` counts those read so far. */
export interface ImportProgress {
  bytesDone: number;
  bytesTotal: number;
  filesDone: number;
  filesTotal: number;
  lines: number;
  file: string;
}

interface LogFileReport {
  file: string;
  /** `empty`: a log without content yet. */
  kind: string;
  runs: Record<RunOutcome, number>;
  lines: number;
  /** Lines that no rule matched, counted and skipped. */
  unreadLines: number;
}

export interface LogImportReport {
  serverId: string;
  files: LogFileReport[];
  /** Files that were not imported, and why. */
  failures: { file: string; message: string }[];
  runs: Record<RunOutcome, number>;
  lines: number;
  unreadLines: number;
  /** What those are, most lines first. */
  unreadKinds: UnreadKind[];
  /** Number of players in the files that were read. */
  players: number;
}

/**
 * Imports logs of one server in any order, with the follower's pipeline. Nothing is stored of a file that cannot be read;
 * those are listed in `failures`, and the others are imported. Importing a file again changes nothing, and completes what
 * a killed process has begun.
 * @throws StoreError when there is no such active server, or another server of the project has a run of a file
 */
export async function importLogs(db: Database, options: LogImport): Promise<LogImportReport> {
  return await untilListStays(() => importOnce(db, options));
}

/** Reads again if players were forgotten meanwhile; what was stored before counts once. */
async function untilListStays<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ListChangedError)) throw error;
    }
  }
}

async function importOnce(db: Database, options: LogImport): Promise<LogImportReport> {
  const { serverId, onProgress, now = Date.now, monotonic, signal } = options;
  const { projectId, timezone, game } = await findOwnServer(db, serverId);
  const formats = requireFormats(options.formats, game);
  const known = await knownRuns(db, serverId);
  const others = await RunsOfOthers.read(db, projectId, serverId);
  const forgotten = await readForgottenList(db);
  const writer = new LogWriter(db, { serverId, projectId, timezone, now, monotonic, forgotten, known });
  const zone = new LocalZone(timezone);
  const failures: LogImportReport['failures'] = [];
  const files = await listFiles(options.files, { beside: options.beside ?? true, formats, failures });
  const reports: LogFileReport[] = [];
  const progress = {
    bytesDone: 0,
    bytesTotal: files.reduce((sum, { stat }) => sum + stat.size, 0),
    filesDone: 0,
    filesTotal: files.length,
    lines: 0,
  };
  const unread: UnreadKind[] = [];
  const onBlock = (file: string, bytes: number, lines: number): void => {
    progress.bytesDone += bytes;
    progress.lines += lines;
    onProgress?.({ ...progress, file });
  };
  const counterFor = (format: LogFormat) => new LogCounter(format, { zone, forgotten, known, others });
  const read = readFiles(files, { formats, zone, failures, counterFor, onBlock, signal });
  for await (const { file, format, counter, lines, unreadLines } of read) {
    progress.filesDone += 1;
    const changes = counter.take(true);
    for (const run of changes.runs) if (!known.has(run.header)) others.refuse(serverId, run);
    const kind =
      counter.content === 'nothing' ? 'empty' : format.holds === 'runs' ? format.name : 'identities';
    const report = { file, kind, runs: { ...noRuns(), known: changes.unchangedRuns }, lines, unreadLines };
    reports.push(report);
    unread.push(...counter.unreadKinds);
    const onStored = (_: string, outcome: RunOutcome): void => void (report.runs[outcome] += 1);
    writer.add({ fileName: basename(file), changes, onStored });
    await writer.storeIfFull();
  }
  await writer.finish();
  const sum = (of: (report: LogFileReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const runs = noRuns();
  for (const outcome of Object.keys(runs) as RunOutcome[])
    runs[outcome] = sum((report) => report.runs[outcome]);
  return {
    serverId,
    files: reports,
    failures,
    runs,
    lines: sum(({ lines }) => lines),
    unreadLines: sum(({ unreadLines }) => unreadLines),
    unreadKinds: joinKinds(unread),
    players: writer.players,
  };
}

interface ReadFilesOptions {
  formats: readonly [LogFormat, ...LogFormat[]];
  zone: LocalZone;
  /** Receives the files that could not be read. */
  failures: LogImportReport['failures'];
  counterFor: (format: LogFormat) => LogCounter;
  onBlock?: (file: string, bytes: number, lines: number) => void;
  signal: AbortSignal | undefined;
}

interface ReadFile {
  file: string;
  format: LogFormat;
  counter: LogCounter;
  lines: number;
  unreadLines: number;
}

/** Reads the files of an import one after the other. */
async function* readFiles(
  files: readonly ListedFile[],
  { formats, zone, failures, counterFor, onBlock, signal }: ReadFilesOptions,
): AsyncGenerator<ReadFile, void, void> {
  const logs = files.filter(({ format }) => format.holds === 'runs');
  const before = new RunBefore({ port: directPort, format: formats[0], zone, files: async () => logs });
  // Identity logs are read only if a log in their folder was valid.
  const folders = new Set<string>();
  for (const listed of files) {
    const { path: file, format, beside } = listed;
    const folder = dirname(resolve(file));
    if (beside && !folders.has(folder)) continue;
    const counter = counterFor(format);
    const source = openDirect(file);
    let own: Awaited<ReturnType<typeof readLog>>;
    try {
      const run = format.holds === 'runs' ? await before.partsWith(listed, source) : null;
      const log = { port: directPort, format, file: listed, source, run, before };
      own = await readLog(log, counter, { onBlock: onBlock?.bind(null, file), signal });
    } catch (error) {
      if (signal?.aborted === true) return;
      failures.push({ file, message: sourceProblem(file, error) });
      continue;
    } finally {
      source.close();
    }
    const { missing, ...lines } = own;
    failures.push(...missing.map((one) => ({ file, message: headlessFailure(file, one) })));
    if (counter.content === 'log') folders.add(folder);
    yield { file, format, counter, ...lines };
  }
}

const headlessFailure = (file: string, missing: MissingLines): string =>
  `${file}: ${missingText(missing)}; import it together with the log that it continues`;

interface EventsImport {
  serverId: string;
  /** The file's name in messages. */
  name: string;
  source: ByteSource;
  /** Called with the bytes and lines of each block that is read. */
  onBlock?: ((bytes: number, lines: number) => void) | undefined;
  now?: () => number;
}

interface EventsReport {
  serverId: string;
  file: string;
  events: number;
  runs: Record<RunOutcome, number>;
  /** Number of players in the file. */
  players: number;
}

/**
 * Imports the events of one server, one line of NDJSON each. The file is imported completely or, if any line is
 * invalid, not at all. Importing it again changes nothing.
 * @throws SourceError that lists the invalid lines; StoreError when there is no such active server, or another
 * server of the project has a run of the file
 */
export async function importEvents(db: Database, options: EventsImport): Promise<EventsReport> {
  return await untilListStays(() => importEventsOnce(db, options));
}

async function importEventsOnce(db: Database, options: EventsImport): Promise<EventsReport> {
  const { serverId, name, source, onBlock, now = Date.now } = options;
  const { projectId } = await findOwnServer(db, serverId);
  const known = await knownRuns(db, serverId);
  const others = await RunsOfOthers.read(db, projectId, serverId);
  const forgotten = await readForgottenList(db);
  const writer = new LogWriter(db, { serverId, projectId, timezone: null, now, forgotten, known });
  // Moments are not local times.
  const counter = new LogCounter(eventsFormat(name), { zone: new LocalZone('UTC'), forgotten, known });
  await readToEnd(source, counter, { onBlock });
  const changes = counter.take(true);
  for (const run of changes.runs) if (!known.has(run.header)) others.refuse(serverId, run);
  const runs = { ...noRuns(), known: changes.unchangedRuns };
  writer.add({ fileName: name, changes, onStored: (_, outcome) => void (runs[outcome] += 1) });
  await writer.finish();
  return { serverId, file: name, events: counter.lines, runs, players: writer.players };
}

interface DryRun {
  files: readonly string[];
  formats: LogFormats;
  game: string;
  timezone: string;
  onEvent: (event: GameEvent) => void;
  signal?: AbortSignal;
}

type DryRunReport = Pick<LogImportReport, 'failures' | 'lines' | 'unreadLines'> & { files: number };

/** Reads the logs that an import would read and only passes on their events. */
export async function readLogEvents(options: DryRun): Promise<DryRunReport> {
  const { timezone, onEvent, signal } = options;
  const report: DryRunReport = { files: 0, failures: [], lines: 0, unreadLines: 0 };
  const zone = new LocalZone(timezone);
  const formats = requireFormats(options.formats, options.game);
  const files = await listFiles(options.files, { beside: true, formats, failures: report.failures });
  const forgotten = new ForgottenList(0, [], new Set());
  const counterFor = (format: LogFormat) => new LogCounter(format, { zone, forgotten, onEvent });
  const { failures } = report;
  for await (const { lines, unreadLines } of readFiles(files, {
    formats,
    zone,
    failures,
    counterFor,
    signal,
  })) {
    report.files += 1;
    report.lines += lines;
    report.unreadLines += unreadLines;
  }
  return report;
}
