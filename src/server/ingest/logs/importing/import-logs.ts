import { basename, dirname, join, resolve } from 'node:path';
import { fileNamesOf, formatOf, LocalZone, type LogFormat } from 'dayz-files';
import { directFiles, openDirect } from 'game-files';
import { fileProblem, sourceProblem } from '../../../files/errors.ts';
import { requireLogFormats } from '../../../games/index.ts';
import type { Database } from '../../../store/engine/database.ts';
import { StoreError } from '../../../store/engine/error.ts';
import { noRuns, noteRuns, type RunOutcome } from '../../../store/repositories/logs/run-copies.ts';
import { countedTwice } from '../../../store/repositories/projects/server-identity.ts';
import { findOwnServer } from '../../../store/repositories/projects/servers.ts';
import { ListChangedError, readForgottenList } from '../../../store/repositories/rights/forgotten-list.ts';
import { countLog, readComparedRuns } from '../reading/count-log.ts';
import { type FolderFile, folderFile } from '../reading/folder-listing.ts';
import { LogWriter } from '../writing/log-writer.ts';
import { storeAlone, type StoreLogs } from '../writing/store-together.ts';
import { joinKinds, type UnreadKind } from '../reading/unread-kinds.ts';

interface LogImport {
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
  /** `empty`: a log without content yet; `identities`: one that holds identifiers of players; else the name of its format. */
  kind: string;
  runs: Record<RunOutcome, number>;
  lines: number;
  /** Lines that no rule matched, counted and skipped. */
  unreadLines: number;
}

interface FileFailure {
  file: string;
  message: string;
}

export interface LogImportReport {
  serverId: string;
  files: LogFileReport[];
  failures: FileFailure[];
  runs: Record<RunOutcome, number>;
  lines: number;
  unreadLines: number;
  /** What those are, most lines first. */
  unreadKinds: UnreadKind[];
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
  for (;;) {
    try {
      return await importOnce(db, options);
    } catch (error) {
      // Players were forgotten meanwhile. What was stored before counts once.
      if (!(error instanceof ListChangedError)) throw error;
    }
  }
}

async function importOnce(db: Database, options: LogImport): Promise<LogImportReport> {
  const { serverId, onProgress, now = Date.now, signal } = options;
  const { projectId, timezone, game } = await findOwnServer(db, serverId);
  const formats = requireLogFormats(game);
  const forgotten = await readForgottenList(db);
  const server = { serverId, projectId, timezone, forgotten, now };
  const zone = new LocalZone(timezone);
  const compared = await readComparedRuns(db, server);
  const players = new Set<number>();
  const storeLogs = storeAlone(db);
  const store: StoreLogs = async (logs, at) => {
    const saved = await storeLogs(logs, at);
    for (const id of saved.players) players.add(id);
    return saved;
  };
  const writer = new LogWriter(db, { ...server, store });
  const failures: FileFailure[] = [];
  const totals = { runs: noRuns(), lines: 0, unreadLines: 0, unreadKinds: [], players: 0 };
  const report: LogImportReport = { serverId, files: [], failures, ...totals };
  const files = await listFiles(options, formats, failures);
  const bytesTotal = files.reduce((sum, { stat }) => sum + stat.size, 0);
  const progress = { bytesDone: 0, bytesTotal, filesDone: 0, filesTotal: files.length, lines: 0 };
  // Identity logs that were not requested are read only beside a log that is one.
  const foldersWithLogs = new Set<string>();
  for (const requested of files) {
    const { path: file, format, beside } = requested;
    const folder = dirname(resolve(file));
    if (beside && !foldersWithLogs.has(folder)) continue;
    const onBlock = (bytes: number, lines: number): void => {
      progress.bytesDone += bytes;
      progress.lines += lines;
      onProgress?.({ ...progress, file });
    };
    const source = openDirect(file);
    let log;
    try {
      log = await countLog(requested, source, compared, { zone, forgotten, now, onBlock, signal });
    } catch (error) {
      if (signal?.aborted === true) break;
      failures.push({ file, message: sourceProblem(file, error) });
      continue;
    } finally {
      source.close();
    }
    const { changes, summary, isEmpty } = log;
    if (!isEmpty) foldersWithLogs.add(folder);
    progress.filesDone += 1;
    const [leftOut] = log.leftOut;
    if (leftOut !== undefined) {
      const { found, next } = countedTwice(leftOut.serverId, serverId);
      throw new StoreError(`the run that started on ${leftOut.run.header} is ${found}. ${next}`);
    }
    noteRuns(compared.known, changes.runs);
    const runs = noRuns();
    await writer.add({
      changes,
      onStored(outcome) {
        runs[outcome] += 1;
        report.runs[outcome] += 1;
      },
    });
    const holds = format.holds === 'runs' ? format.name : 'identities';
    const kind = isEmpty ? 'empty' : holds;
    const { lines, unreadLines, unreadKinds } = summary;
    report.files.push({ file, kind, runs, lines, unreadLines });
    report.lines += lines;
    report.unreadLines += unreadLines;
    report.unreadKinds = joinKinds([...report.unreadKinds, ...unreadKinds]);
  }
  await writer.finish();
  return { ...report, players: players.size };
}

interface ListedFile extends FolderFile {
  /** Whether it was not requested, but is an identity log in the folder of a requested log. */
  beside: boolean;
}

/** Refused by name: in an archive that does not compress, the lines of a log would be found and counted. */
const packed = /\.(?:zip|gz|tgz|tar|7z|rar|bz2|xz|zst)$/i;

/**
 * The requested files with their sizes; identity logs come last. A file whose name no format matches is read as the
 * first format.
 * @param failures receives files that cannot be read
 */
async function listFiles(
  { files, beside = true }: LogImport,
  formats: readonly [LogFormat, ...LogFormat[]],
  failures: FileFailure[],
): Promise<ListedFile[]> {
  const requested = new Map<string, ListedFile>();
  for (const file of files) {
    try {
      const stat = await directFiles.stat(file);
      if (packed.test(file)) {
        failures.push({ file, message: `${file}: is packed; unpack it, and import what was in it` });
        continue;
      }
      const format = formatOf(formats, basename(file)) ?? formats[0];
      requested.set(resolve(file), { ...folderFile(file, format, stat), beside: false });
    } catch (error) {
      failures.push({ file, message: `${file}: ${fileProblem(error)}` });
    }
  }
  const all = [...requested.values()];
  const runLogs = all.filter(({ format }) => format.holds === 'runs');
  const identityLogs = all.filter(({ format }) => format.holds === 'identities');
  const folders = new Set(beside ? runLogs.map(({ path }) => dirname(path)) : []);
  const identityFormats = formats.filter(({ holds }) => holds === 'identities');
  const found: ListedFile[] = [];
  for (const folder of folders) {
    const entries = await directFiles.list(folder, { matching: fileNamesOf(identityFormats), stat: 'all' });
    for (const { name, stat } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, name);
      const format = formatOf(identityFormats, name);
      if (stat === null || format === null || requested.has(resolve(path))) continue;
      found.push({ ...folderFile(path, format, stat), beside: true });
    }
  }
  return [...runLogs, ...identityLogs, ...found];
}
