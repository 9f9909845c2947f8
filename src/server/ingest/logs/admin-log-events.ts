import { rawVocabulary, readAdminLog } from '../../games/dayz/admin-log.ts';
import { notAnAdminLog, SourceError, sourceProblem } from '../errors.ts';
import type { EventSink } from '../counting/events.ts';
import { inOrderOfHeaders } from './file-order.ts';
import { openSource } from '../files/file-source.ts';
import { directPort } from '../files/direct-files.ts';
import { readIdentityLog } from '../../games/dayz/identity-log.ts';
import { LocalZone } from './local-clock.ts';
import { isIdentityLog, listFiles } from './log-files.ts';

export interface LogEventsReport {
  files: number;
  failures: { file: string; message: string }[];
  lines: number;
  unreadLines: number;
}

/** Reads the logs that an import would read and only tells what it finds in them. */
export async function readLogEvents(
  files: readonly string[],
  timezone: string,
  sink: EventSink,
  signal?: AbortSignal,
): Promise<LogEventsReport> {
  const report: LogEventsReport = { files: 0, failures: [], lines: 0, unreadLines: 0 };
  const zone = new LocalZone(timezone);
  const words = rawVocabulary();
  const onBytes = (_: number, lines: number): void => void (report.lines += lines);
  const isAborted = () => signal?.aborted === true;
  const visitor = {
    begin: () => ({ sink, prefixBytes: 0 }),
    end: (run: { unreadLines: number }) => void (report.unreadLines += run.unreadLines),
  };
  const listed = await listFiles(files, true, report.failures, directPort);
  for (const { file } of await inOrderOfHeaders(listed, openSource)) {
    if (isAborted()) break;
    try {
      const source = openSource(file);
      try {
        if (isIdentityLog(file)) await readIdentityLog(source, zone, sink, onBytes, signal);
        else {
          const summary = await readAdminLog(source, zone, visitor, onBytes, signal, words);
          if (summary.runs === 0 && !summary.empty) throw new SourceError(file, notAnAdminLog);
        }
      } finally {
        source.close();
      }
      report.files += 1;
    } catch (error) {
      if (isAborted()) break;
      report.failures.push({ file, message: sourceProblem(file, error) });
    }
  }
  return report;
}
