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
