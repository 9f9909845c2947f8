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

export const emptyReport = (serverId: string): LogFolderReport => ({
  serverId,
  runs: noRuns(),
  lines: 0,
  unreadLines: 0,
  remarks: [],
});

export function hasChanges({ runs, lines, remarks }: LogFolderReport): boolean {
  return Object.values(runs).some((count) => count > 0) || lines > 0 || remarks.length > 0;
}

/** What became of each run in a poll. A followed run is stored repeatedly; only its first outcome says whether it was new. */
export class RunOutcomes {
  readonly #outcomes = new Map<string, RunOutcome>();

  readonly note = (path: string, header: string, outcome: RunOutcome): void => {
    const key = JSON.stringify([path, header]);
    if (this.#outcomes.get(key) !== 'new') this.#outcomes.set(key, outcome);
  };

  clear(): void {
    this.#outcomes.clear();
  }

  addTo({ runs }: LogFolderReport): void {
    for (const outcome of this.#outcomes.values()) runs[outcome] += 1;
  }
}

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
