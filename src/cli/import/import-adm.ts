import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileNamesOf, type LogFormat, namesOfFiles } from 'dayz-files';
import { logFormatsOf } from '../../server/games/index.ts';
import {
  importLogs,
  type ImportProgress,
  type LogImportReport,
} from '../../server/ingest/logs/importing/import-logs.ts';
import { keepHeapSmall, optimizeLater } from '../../process/v8-flags.ts';
import { configuredServer } from '../configured-server.ts';
import { withConfiguredStore } from '../open-store.ts';
import { CommandFailure, failWithResult, count, grouped, printResult, type Output } from '../output.ts';
import { untilInterrupted } from '../interrupt.ts';
import { percentOf, showProgress } from '../progress.ts';
import { kindsText } from '../sources.ts';
import { limits } from '../limits.ts';

const heapGrowthPercent = 30;

export async function importAdm(output: Output, paths: string[], options: { server: string }): Promise<void> {
  const formats = logFormatsOf(configuredServer(options.server).game);
  const files = [...new Set(paths.flatMap((path) => filesOf(path, formats)))];
  // The import runs beside the game server and the service.
  keepHeapSmall(heapGrowthPercent);
  optimizeLater();
  const { update: onProgress, end } = showProgress(output, progressOf(Date.now()), limits.drawEveryMs);
  const wanted = { serverId: options.server, files, onProgress };
  const { report, isStopped } = await untilInterrupted(async (signal) => {
    const report = await withConfiguredStore((db) => importLogs(db, { ...wanted, signal }));
    return { report, isStopped: signal.aborted };
  }).finally(end);
  const reason = isStopped ? stopped : failureOf(report.failures, files.length);
  if (reason !== null) failWithResult(output, report, admText(report), reason);
  printResult(output, report, admText(report));
}

const stopped =
  'Stopped; every file that was read to its end is stored. Run the same command to continue: it skips them.';

function failureOf(failures: readonly { message: string }[], files: number): string | null {
  if (failures.length === 0) return null;
  const list = failures.map(({ message }) => `  ${message}`).join('\n');
  return `Could not read ${failures.length} of ${count(files, 'file')}:\n${list}`;
}

function admText({ files, runs, lines, unreadLines, unreadKinds, players }: LogImportReport): string {
  return (
    `${count(files.length, 'file')}, ${count(lines, 'line')} (${grouped(unreadLines)} unread), ${count(players, 'player')} stored. ` +
    `Server runs: ${runs.new} new, ${runs.longer} longer than known, ${runs.known} known, ${runs.diverged} diverged.` +
    (unreadKinds.length === 0 ? '' : `\nUnread: ${kindsText(unreadKinds)}.`)
  );
}

const progressOf =
  (started: number) =>
  ({ bytesDone, bytesTotal, filesDone, filesTotal, lines }: ImportProgress): string => {
    const seconds = Math.max(0.001, (Date.now() - started) / 1000);
    const left = bytesDone === 0 ? 0 : Math.ceil((seconds * (bytesTotal - bytesDone)) / bytesDone);
    return `${percentOf(bytesDone, bytesTotal)}, ${grouped(filesDone)} of ${count(filesTotal, 'file')}, ${count(lines, 'line')}, ${grouped(Math.round(lines / seconds))} lines/s, ${Math.max(0, left)} s left`;
  };

/** The files that a path names: itself, or the logs in a folder and those below it. */
export function filesOf(path: string, formats: readonly LogFormat[]): string[] {
  // A path that cannot be read is kept: the import reports what is wrong with it.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const logs = logsIn(path, fileNamesOf(formats)).toSorted();
  if (logs.length === 0)
    throw new CommandFailure(`${path}: no ${namesOfFiles(formats, 'or')} in this folder or below it`);
  return logs;
}

/** Links to folders are not followed: they may lead back, or, as in the folders of Wine, to the whole disk. */
function logsIn(folder: string, logNames: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return logNames.test(entry.name) ? [path] : [];
    try {
      return logsIn(path, logNames);
    } catch {
      return [path];
    }
  });
}
