import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Database } from '../store/database.ts';
import { type KnownRun, knownRuns } from '../store/log-runs.ts';
import { type AdminLogSummary, readAdminLog } from './admin-log.ts';
import { findOwnServer } from '../store/servers.ts';
import { fileProblem, notAnAdminLog, SourceError } from './errors.ts';
import { readIdentityLog } from './identity-log.ts';
import { LocalZone } from './local-clock.ts';
import { isIdentityLog, listFiles } from './log-files.ts';
import { PendingImport, type PendingRun } from './pending-import.ts';
import { Sightings } from './sightings.ts';
import { RunTally } from './tally.ts';

export { isServerLog } from './log-files.ts';

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
  lines: number;
  file: string;
}

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
  /** Lines that no rule knows, counted and skipped. */
  unreadLines: number;
  /** Lines before the file's first header, skipped. */
  strayLines: number;
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
 * Imports admin logs of one server, in any order. Each file is taken in whole or not at all; a file that cannot be
 * read is reported in `failures` and the others go on. Importing a file again changes nothing.
 * @throws StoreError when there is no such active server
 */
export async function importAdminLogs(db: Database, options: AdminLogImport): Promise<AdminLogReport> {
  const { serverId, onProgress, now = Date.now, signal } = options;
  const server = await findOwnServer(db, serverId);
  const zone = new LocalZone(server.timezone);
  const pending = new PendingImport(db, await knownRuns(db, serverId), {
    serverId,
    projectId: server.projectId,
    now,
  });
  const failures: AdminLogReport['failures'] = [];
  const reports: AdminLogFileReport[] = [];
  const files = await listFiles(options.files, options.beside ?? true, failures);
  const progress = { bytesDone: 0, bytesTotal: files.reduce((sum, { bytes }) => sum + bytes, 0), lines: 0 };
  const folders = new Set<string>();
  const isAborted = () => signal?.aborted === true;

  for (const { file, beside } of files) {
    if (isAborted()) break;
    // What lies beside the logs is read only when a log of the folder was one.
    if (beside && !folders.has(dirname(resolve(file)))) continue;
    const onBytes = (bytes: number, lines: number) => {
      progress.bytesDone += bytes;
      progress.lines += lines;
      onProgress?.({ ...progress, file });
    };
    try {
      const report = await readOne(file, { zone, pending, onBytes, signal });
      reports.push(report);
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
  await pending.flush();
  return summarise(serverId, reports, failures, pending.players);
}

interface ReadContext {
  zone: LocalZone;
  pending: PendingImport;
  onBytes: (bytes: number, lines: number) => void;
  signal: AbortSignal | undefined;
}

async function readOne(file: string, context: ReadContext): Promise<AdminLogFileReport> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    throw new SourceError(file, fileProblem(error), { cause: error });
  }
  try {
    return isIdentityLog(file)
      ? await readIdentities(file, handle, context)
      : await readRuns(file, handle, context);
  } finally {
    await handle.close();
  }
}

async function readIdentities(
  file: string,
  handle: FileHandle,
  { zone, pending, onBytes, signal }: ReadContext,
): Promise<AdminLogFileReport> {
  const sightings = new Sightings();
  let count = 0;
  await readIdentityLog(
    handle,
    zone,
    (event) => {
      if (event.kind === 'identity') sightings.identity(event);
    },
    (bytes, lines) => {
      count += lines;
      onBytes(bytes, lines);
    },
    signal,
  );
  pending.add([], sightings);
  return { file, kind: 'identities', runs: noRuns(), lines: count, unreadLines: 0, strayLines: 0 };
}

async function readRuns(file: string, handle: FileHandle, context: ReadContext): Promise<AdminLogFileReport> {
  const { zone, pending, onBytes, signal } = context;
  const found = new Map<string, PendingRun>();
  const runs = noRuns();
  const sightings = new Sightings();
  let lines = 0;
  let unreadLines = 0;
  let tally = new RunTally();
  let known: KnownRun | undefined;
  const summary: AdminLogSummary = await readAdminLog(
    handle,
    zone,
    {
      begin(header) {
        const current = (tally = new RunTally());
        known = found.get(header) ?? pending.known(header);
        return { sink: (event) => current.add(event), prefixBytes: known?.bytes ?? 0 };
      },
      end(run) {
        lines += run.lines;
        unreadLines += run.unreadLines;
        const outcome = compare(run, known);
        runs[outcome] += 1;
        if (known !== undefined && run.bytes <= known.bytes) return;
        found.set(run.header, { ...run, fileName: basename(file), tally });
        sightings.merge(tally.sightings);
      },
    },
    onBytes,
    signal,
  );
  if (summary.runs === 0 && !summary.empty) {
    throw new SourceError(file, notAnAdminLog);
  }
  pending.add([...found.values()], sightings);
  const kind = summary.runs === 0 ? 'empty' : 'admin-log';
  return { file, kind, runs, lines, unreadLines, strayLines: summary.empty ? 0 : summary.strayLines };
}

function compare(
  run: { bytes: number; digest: string; prefixDigest: string | null },
  known: KnownRun | undefined,
): RunOutcome {
  if (known === undefined) return 'new';
  // Of a shorter copy only the longer one's digest is at hand: it is taken at its header's word.
  if (run.bytes < known.bytes) return 'known';
  if (known.digest !== '' && run.prefixDigest !== known.digest) return 'diverged';
  return run.bytes === known.bytes ? 'known' : 'longer';
}

function noRuns(): Record<RunOutcome, number> {
  return { new: 0, longer: 0, known: 0, diverged: 0 };
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
