import { dirname, resolve } from 'node:path';
import type { Database } from '../store/database.ts';
import { knownRuns } from '../store/log-runs.ts';
import { findOwnServer } from '../store/servers.ts';
import {
  type AdminLogFileReport,
  type FileContext,
  noRuns,
  readLogFile,
  type RunOutcome,
} from './admin-log-file.ts';
import { rawVocabulary } from './admin-log.ts';
import { fileProblem, SourceError } from './errors.ts';
import { inOrderOfHeaders } from './file-order.ts';
import { LocalZone } from './local-clock.ts';
import { listFiles } from './log-files.ts';
import { PendingImport } from './pending-import.ts';

export { isServerLog } from './log-files.ts';
export type { AdminLogFileReport, RunOutcome } from './admin-log-file.ts';

export interface AdminLogImport {
  serverId: string;
  /** .ADM files, and .RPT and serverconsole.log files, which are read for identities. */
  files: readonly string[];
  /** Whether to read the .RPT and serverconsole.log files that lie beside the logs; default true. */
  beside?: boolean;
  onProgress?: (progress: ImportProgress) => void;
  now?: () => number;
  /** Stops at the next block; of files that were read whole everything is kept, of the one under way nothing. */
  signal?: AbortSignal;
}

/** How far an import is; `lines` counts those read so far. */
export interface ImportProgress {
  bytesDone: number;
  bytesTotal: number;
  filesDone: number;
  filesTotal: number;
  lines: number;
  file: string;
}

export interface AdminLogReport {
  serverId: string;
  files: AdminLogFileReport[];
  /** Files of which nothing was written, and why. */
  failures: { file: string; message: string }[];
  runs: Record<RunOutcome, number>;
  lines: number;
  unreadLines: number;
  /** Players whom the files that were read name. */
  players: number;
}

/**
 * Imports admin logs of one server, whatever their order. Each file is taken in whole or not at all; a file that cannot
 * be read is reported in `failures` and the others go on. Importing a file again changes nothing.
 * @throws StoreError when there is no such active server
 */
export async function importAdminLogs(db: Database, options: AdminLogImport): Promise<AdminLogReport> {
  const { serverId, onProgress, now = Date.now, signal } = options;
  const server = await findOwnServer(db, serverId);
  const pending = new PendingImport(db, await knownRuns(db, serverId), {
    serverId,
    projectId: server.projectId,
    now,
  });
  const failures: AdminLogReport['failures'] = [];
  const reports: AdminLogFileReport[] = [];
  const listed = await listFiles(options.files, options.beside ?? true, failures);
  const files = await inOrderOfHeaders(listed);
  const progress = {
    bytesDone: 0,
    bytesTotal: files.reduce((sum, { bytes }) => sum + bytes, 0),
    filesDone: 0,
    filesTotal: files.length,
    lines: 0,
  };
  const folders = new Set<string>();
  const isAborted = () => signal?.aborted === true;
  const shared = {
    zone: new LocalZone(server.timezone),
    words: rawVocabulary(),
    known: pending.known.bind(pending),
    signal,
  };

  for (const { file, beside } of files) {
    if (isAborted()) break;
    // What lies beside the logs is read only when a log of the folder was one.
    if (beside && !folders.has(dirname(resolve(file)))) continue;
    const onBytes: FileContext['onBytes'] = (bytes, lines) => {
      progress.bytesDone += bytes;
      progress.lines += lines;
      onProgress?.({ ...progress, file });
    };
    try {
      const { report, runs, sightings } = await readLogFile(file, { ...shared, onBytes });
      pending.add(runs, sightings);
      reports.push(report);
      progress.filesDone += 1;
      if (report.kind !== 'empty') folders.add(dirname(resolve(file)));
    } catch (error) {
      if (isAborted()) break;
      failures.push({
        file,
        message: error instanceof SourceError ? error.message : `${file}: ${fileProblem(error)}`,
      });
    }
    if (pending.isLarge) await pending.flush();
  }
  await pending.finish();
  return summarise(serverId, reports, failures, pending.players);
}

function summarise(
  serverId: string,
  files: AdminLogFileReport[],
  failures: AdminLogReport['failures'],
  players: number,
): AdminLogReport {
  const runs = noRuns();
  for (const file of files) {
    for (const outcome of Object.keys(runs) as RunOutcome[]) runs[outcome] += file.runs[outcome];
  }
  return {
    serverId,
    files,
    failures,
    runs,
    lines: files.reduce((sum, file) => sum + file.lines, 0),
    unreadLines: files.reduce((sum, file) => sum + file.unreadLines, 0),
    players,
  };
}
