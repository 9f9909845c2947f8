import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Database } from '../../store/database.ts';
import { knownRuns } from '../../store/log-runs.ts';
import { findOwnServer } from '../../store/servers.ts';
import {
  type AdminLogFileReport,
  type FileOutcome,
  type FileToRead,
  noRuns,
  readOutcome,
  type RunOutcome,
} from './admin-log-file.ts';
import { rawVocabulary } from '../../games/dayz/admin-log.ts';
import { inOrderOfHeaders, type OrderedFile } from './file-order.ts';
import { openSource, throughPort } from '../files/file-source.ts';
import { directPort } from '../files/direct-files.ts';
import type { FilePort } from '../files/file-port.ts';
import { LocalZone } from './local-clock.ts';
import { listFiles } from './log-files.ts';
import { PendingImport } from './pending-import.ts';
import { ReadingThreads } from './reading-threads.ts';

export { isServerLog } from './log-files.ts';
export type { AdminLogFileReport, RunOutcome } from './admin-log-file.ts';

export interface AdminLogImport {
  serverId: string;
  /** .ADM files, and .RPT and serverconsole.log files, which are read for identities. */
  files: readonly string[];
  /** Whether to read the .RPT and serverconsole.log files that lie beside the logs; default true. */
  beside?: boolean;
  /** Through which the files are read; default: directly, and by threads where they are wanted. */
  port?: FilePort;
  /** Number of threads that read; `auto`: as many as make it faster; default: none, it is read in place. */
  threads?: number | 'auto';
  /** Whether to read only who is who, and leave runs and figures as they are. */
  identitiesOnly?: boolean;
  /** Whether the reports of the files are to show some of the lines that no rule knew. */
  examples?: boolean;
  onProgress?: (progress: ImportProgress) => void;
  now?: () => number;
  /** Stops at the next block; of files that were taken in everything is kept, of those under way nothing. */
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
  const known = await knownRuns(db, serverId);
  const pending = new PendingImport(db, known, {
    serverId,
    projectId: server.projectId,
    timezone: server.timezone,
    now,
  });
  const failures: AdminLogReport['failures'] = [];
  const reports: AdminLogFileReport[] = [];
  const { port } = options;
  const open = port === undefined ? openSource : throughPort(port);
  const listed = await listFiles(options.files, options.beside ?? true, failures, port ?? directPort);
  const files = await inOrderOfHeaders(listed, open);
  const progress = {
    bytesDone: 0,
    bytesTotal: files.reduce((sum, { bytes }) => sum + bytes, 0),
    filesDone: 0,
    filesTotal: files.length,
    lines: 0,
  };
  const onBytes = (file: string, bytes: number, lines: number): void => {
    progress.bytesDone += bytes;
    progress.lines += lines;
    onProgress?.({ ...progress, file });
  };
  const context = {
    open,
    zone: new LocalZone(server.timezone),
    words: rawVocabulary(),
    known: pending.known.bind(pending),
    examples: options.examples ?? false,
    identitiesOnly: options.identitiesOnly ?? false,
    signal,
  };
  const readHere = (file: FileToRead) =>
    readOutcome(file, { ...context, onBytes: (bytes, lines) => onBytes(file.file, bytes, lines) });
  const readAgain = (file: FileToRead) => readOutcome(file, { ...context, onBytes: () => undefined });
  const take = async ({ file }: FileToRead, outcome: FileOutcome): Promise<void> => {
    if ('failure' in outcome) failures.push({ file, message: outcome.failure });
    else {
      pending.add(outcome.runs, outcome.sightings);
      reports.push(outcome.report);
      progress.filesDone += 1;
    }
    if (pending.isLarge) await pending.flush();
  };

  try {
    const asked = files.filter(({ beside }) => !beside);
    const { threads: wanted = 0 } = options;
    const count = wanted === 'auto' ? usefulThreads(asked) : wanted;
    signal?.throwIfAborted();
    const data = { timezone: server.timezone, known, examples: context.examples };
    const threads = count > 0 ? new ReadingThreads(count, data, onBytes) : null;
    const stop = (): void => void threads?.close();
    signal?.addEventListener('abort', stop);
    try {
      for await (const [file, outcome] of threads?.read(asked) ?? readEach(asked, readHere)) {
        signal?.throwIfAborted();
        if (outcome === null) await take(file, await readHere(file));
        // A thread may have compared a run with less than is known of it by now.
        else await take(file, isOvertaken(outcome, pending) ? await readAgain(file) : outcome);
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      await threads?.close();
    }
    // What lies beside the logs is read only when a log of the folder was one.
    const folders = new Set(reports.filter(({ kind }) => kind !== 'empty').map(({ file }) => folderOf(file)));
    const beside = files.filter((listed) => listed.beside && folders.has(folderOf(listed.file)));
    for await (const [file, outcome] of readEach(beside, readHere)) await take(file, outcome);
  } catch (error) {
    if (signal?.aborted !== true || error !== signal.reason) throw error;
  }
  await pending.finish();
  return summarise(serverId, reports, failures, pending.players);
}

/** More threads than this read faster than their findings can be stored. */
const maxThreads = 3;
/** A thread has to have so much to read that its start pays. */
const bytesForThread = 8 * 1024 * 1024;

/** One would only be a detour. */
function usefulThreads(files: readonly OrderedFile[]): number {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const count = Math.min(
    availableParallelism(),
    maxThreads,
    files.length,
    Math.floor(bytes / bytesForThread),
  );
  return count > 1 ? count : 0;
}

async function* readEach(
  files: readonly OrderedFile[],
  read: (file: FileToRead) => Promise<FileOutcome>,
): AsyncGenerator<[OrderedFile, FileOutcome], void, void> {
  for (const file of files) yield [file, await read(file)];
}

function isOvertaken(outcome: FileOutcome, pending: PendingImport): boolean {
  if ('failure' in outcome) return false;
  for (const [header, copy] of outcome.compared) {
    const known = pending.known(header);
    if (known?.bytes !== copy?.bytes || known?.digest !== copy?.digest) return true;
    if (known?.isCurrent !== copy?.isCurrent) return true;
  }
  return false;
}

const folderOf = (file: string): string => dirname(resolve(file));

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
