/** How far a long read of a server's logs has come. */
export interface ReadProgress {
  /** The name of the file, or how many files there are. */
  name: string;
  bytesDone: number;
  bytesTotal: number;
}

/** What is read within seconds is not reported. */
const longBytes = 32 * 1024 * 1024;
const reportEveryMs = 10_000;

/** Passes the progress of long reads on, at once and then every ten seconds. To be called with each block. */
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
