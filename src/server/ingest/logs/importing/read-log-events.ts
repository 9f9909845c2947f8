import { ForgottenList } from '../../../store/repositories/rights/forgotten-list.ts';
import type { GameEvent } from '../../counting/events.ts';
import { LocalZone } from '../formats/local-clock.ts';
import { type LogFormats, requireFormats } from '../formats/log-format.ts';
import { LogCounter } from '../reading/log-counter.ts';
import { type FileFailure, listFiles } from './list-files.ts';
import { readFiles } from './read-files.ts';

interface DryRun {
  files: readonly string[];
  formats: LogFormats;
  game: string;
  timezone: string;
  onEvent: (event: GameEvent) => void;
  signal?: AbortSignal;
}

interface DryRunReport {
  files: number;
  failures: FileFailure[];
  lines: number;
  unreadLines: number;
}

/** Reads the logs that an import would read and only passes on their events. */
export async function readLogEvents(options: DryRun): Promise<DryRunReport> {
  const { timezone, onEvent, signal } = options;
  const report: DryRunReport = { files: 0, failures: [], lines: 0, unreadLines: 0 };
  const { failures } = report;
  const zone = new LocalZone(timezone);
  const formats = requireFormats(options.formats, options.game);
  const files = await listFiles(options.files, { beside: true, formats, failures });
  const forgotten = new ForgottenList(0, [], new Set());
  const read = readFiles(files, {
    formats,
    zone,
    failures,
    counterOf: (format) => new LogCounter(format, { zone, forgotten, onEvent }),
    signal,
  });
  for await (const { lines, unreadLines } of read) {
    report.files += 1;
    report.lines += lines;
    report.unreadLines += unreadLines;
  }
  return report;
}
