import { basename } from 'node:path';
import type { Database } from '../../../store/engine/database.ts';
import { noRuns, type RunOutcome } from '../../../store/repositories/logs/run-copies.ts';
import { findOwnServer } from '../../../store/repositories/projects/servers.ts';
import { LocalZone } from 'dayz-files';
import { requireLogFormats } from '../../../games/index.ts';
import { openImporter, untilListStays } from './importer.ts';
import { type FileFailure, listFiles } from './list-files.ts';
import { readFiles } from './read-files.ts';

export interface LogImport {
  serverId: string;
  files: readonly string[];
  /** Whether to read the identity logs in the folders of the others; default true. */
  beside?: boolean;
  onProgress?: (progress: ImportProgress) => void;
  now?: () => number;
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
  failures: FileFailure[];
  runs: Record<RunOutcome, number>;
  lines: number;
  unreadLines: number;
  /** Number of players in what was stored; a run that was known already is not. */
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

async function importOnce(db: Database, options: LogImport): Promise<LogImportReport> {
  const { serverId, onProgress, now, signal } = options;
  const { projectId, timezone, game } = await findOwnServer(db, serverId);
  const formats = requireLogFormats(game);
  const importer = await openImporter(db, { serverId, projectId, timezone, now });
  const zone = new LocalZone(timezone);
  const failures: FileFailure[] = [];
  const files = await listFiles(options.files, { beside: options.beside ?? true, formats, failures });
  const reports: LogFileReport[] = [];
  const progress = {
    bytesDone: 0,
    bytesTotal: files.reduce((sum, { stat }) => sum + stat.size, 0),
    filesDone: 0,
    filesTotal: files.length,
    lines: 0,
  };
  const onBlock = (file: string, bytes: number, lines: number): void => {
    progress.bytesDone += bytes;
    progress.lines += lines;
    onProgress?.({ ...progress, file });
  };
  const read = readFiles(files, {
    zone,
    failures,
    known: importer.known,
    counterOf: (format, rest) => importer.counterOf(format, zone, rest),
    onBlock,
    signal,
  });
  for await (const { file, format, counter } of read) {
    const { lines, unreadLines } = counter;
    progress.filesDone += 1;
    const runs = await importer.add(basename(file), counter);
    const kind =
      counter.content === 'nothing' ? 'empty' : format.holds === 'runs' ? format.name : 'identities';
    reports.push({ file, kind, runs, lines, unreadLines });
  }
  const players = await importer.finish();
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
    players,
  };
}
