import { type ProblemChange, ProblemLog } from '../../process/problem-log.ts';
import { LeaseLost } from '../store/engine/error.ts';
import { fileErrorCode, fileProblem, remedyOf } from '../files/errors.ts';

/** The result of polling a source; left out: nothing has changed, and there is no problem. */
export interface PollResult<Report> {
  report?: Report;
  /** A problem that did not stop the poll. */
  problem?: string | null;
  /** Where what was polled lies, if not at the path of the source. */
  path?: string;
  /** Bans are missing from the file. They stay in force until they have been missing for a while (`bans/file-reader.ts`). */
  keptBans?: true;
}

/** What has changed with a poll. */
type PollChange<Report> = Omit<PollResult<Report>, 'problem'> & ProblemChange;

/** The open problems of sources. */
export class PollProblems extends ProblemLog {
  /**
   * Polls a source. If `poll` returns null, the source was not read, and its problem stays open.
   * @returns null when nothing has changed
   */
  async attempt<Report>(
    key: string,
    poll: () => Promise<PollResult<Report> | null>,
  ): Promise<PollChange<Report> | null> {
    let change: PollChange<Report>;
    try {
      const result = await poll();
      if (result === null) return null;
      const { problem = null, ...others } = result;
      change = { ...others, ...this.update(key, problem) };
    } catch (error) {
      // The process stops, or another one reads the source now, which is not a problem of the source.
      if (fileErrorCode(error) === 'ECLOSED' || error instanceof LeaseLost) return null;
      change = this.update(key, problemOf(error));
    }
    const { report, error, recovered } = change;
    return report === undefined && error === undefined && recovered === undefined ? null : change;
  }
}

/** The problem, and how to solve it. */
function problemOf(problem: unknown): string {
  const { code = '', message } = problem as NodeJS.ErrnoException;
  if (code === 'SQLITE_FULL') {
    return 'the disk of the data folder is full: free some space, and reading goes on';
  }
  const reason = code === '' || code.startsWith('SQLITE_') ? message : fileProblem(problem);
  const remedy = remedyOf(problem);
  // A message of the host's may end with a full stop.
  return remedy === null ? reason : `${reason.replace(/\.$/, '')}; ${remedy}`;
}
