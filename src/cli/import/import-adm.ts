import { readEnvironment } from '../../config/load.ts';
import { logFormatsOf } from '../../server/games/index.ts';
import { importLogs, type LogImportReport } from '../../server/ingest/logs/importing/import-logs.ts';
import { keepHeapSmall, optimizeLater } from '../../process/v8-flags.ts';
import { filesOf } from './log-paths.ts';
import { configuredServer } from '../configured-server.ts';
import { withConfiguredStore } from '../open-store.ts';
import { failWithResult, count, grouped, printResult, type Output, type JsonOption } from '../output.ts';
import { untilInterrupted } from '../interrupt.ts';
import { showImport } from '../progress.ts';
import { kindsText } from '../unread-kinds.ts';

interface AdmOptions extends JsonOption {
  server: string;
}

const heapGrowthPercent = 30;

export async function importAdm(output: Output, paths: string[], options: AdmOptions): Promise<void> {
  const formats = logFormatsOf(configuredServer(options.server).game);
  const files = [...new Set(paths.flatMap((path) => filesOf(path, formats)))];
  // The import runs beside the game server and the service.
  keepHeapSmall(heapGrowthPercent);
  optimizeLater();
  const { update: onProgress, end } = showImport(options, output);
  const wanted = { serverId: options.server, files, onProgress };
  const { result: report, interrupted } = await untilInterrupted((signal) =>
    withConfiguredStore(readEnvironment(), (db) => importLogs(db, { ...wanted, signal })),
  ).finally(end);
  const reason = interrupted ? stopped : failureOf(report.failures, files.length);
  if (reason !== null) failWithResult(output, options, report, admText(report), reason);
  printResult(output, options, report, admText(report));
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
