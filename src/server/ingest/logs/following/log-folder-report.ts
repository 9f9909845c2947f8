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

/** Collects what one poll of a folder reads. */
export class PollReport {
  lines = 0;
  unreadLines = 0;
  readonly remarks: string[] = [];
  readonly #runs = new Map<string, RunOutcome>();

  /** A followed run is stored repeatedly; only its first outcome says whether it was new. */
  noteRun(path: string, header: string, outcome: RunOutcome): void {
    const key = JSON.stringify([path, header]);
    if (this.#runs.get(key) !== 'new') this.#runs.set(key, outcome);
  }

  get hasChanges(): boolean {
    return this.#runs.size > 0 || this.lines > 0 || this.remarks.length > 0;
  }

  result(serverId: string): LogFolderReport {
    const { lines, unreadLines, remarks } = this;
    const runs = noRuns();
    for (const outcome of this.#runs.values()) runs[outcome] += 1;
    return { serverId, runs, lines, unreadLines, remarks };
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
