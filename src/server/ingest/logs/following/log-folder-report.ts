import { noRuns, type RunOutcome } from '../../../store/repositories/logs/run-copies.ts';

/** The result of polling a server's folder of logs. */
export interface LogFolderReport {
  serverId: string;
  runs: Record<RunOutcome, number>;
  lines: number;
  unreadLines: number;
  /** Messages for the owner about files. */
  remarks: string[];
}

/** The report of a poll that has read nothing yet. */
export function emptyReport(serverId: string): LogFolderReport {
  return { serverId, runs: noRuns(), lines: 0, unreadLines: 0, remarks: [] };
}

export const isEmpty = ({ runs, lines, remarks }: LogFolderReport): boolean =>
  lines === 0 && remarks.length === 0 && Object.values(runs).every((count) => count === 0);

/** How far a long read is. */
export interface ReadProgress {
  /** The file's name, or the number of files. */
  name: string;
  bytesDone: number;
  bytesTotal: number;
}

/** Shorter reads take seconds and are not reported. */
const longBytes = 32 * 1024 * 1024;
const reportEveryMs = 10_000;

/** Reports the progress of long reads, at once and then every ten seconds. To be called with each block. */
export function createProgressReport(
  monotonic: () => number,
  report: (progress: ReadProgress) => void,
): (progress: ReadProgress) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const { bytesDone, bytesTotal } = progress;
    if (bytesTotal - bytesDone <= longBytes || monotonic() - reportedAt < reportEveryMs) return;
    reportedAt = monotonic();
    report(progress);
  };
}
