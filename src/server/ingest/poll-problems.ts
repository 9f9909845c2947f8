import { type ProblemChange, ProblemLog } from '../../process/problem-log.ts';
import { LeaseLost } from '../store/engine/error.ts';
import { fileErrorCode, fileProblem, remedyOf } from '../files/errors.ts';

/**
 * The result of polling a source. `{}`: nothing is new, and no problem is open any more. A poll that did not look at the source
 * returns null instead, and a problem that is open stays so.
 */
export interface PollResult<Report> {
  /** What was read; left out: nothing new. */
  report?: Report;
  /** A problem that did not stop the poll; null or left out: none. */
  problem?: string | null;
  /** Where what was polled lies, if not at the path of the source. */
  path?: string;
  /** Bans are missing from the file. They stay in force until they have been missing for a while (`bans/follow-ban-file.ts`). */
  keptBans?: true;
}

/** What has changed with a poll. */
type PollChange<Report> = Omit<PollResult<Report>, 'problem'> & ProblemChange;

/** The open problems of sources, each reported once. */
export class PollProblems extends ProblemLog {
  /** Polls a source. What `poll` throws is a problem of the source. @returns null when nothing has changed */
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
      change = this.update(key, problemText(error));
    }
    const { report, error, recovered } = change;
    return report === undefined && error === undefined && recovered === undefined ? null : change;
  }
}

/** What is wrong, in words for the owner, and how to solve it. */
function problemText(problem: unknown): string {
  const { code = '', message } = problem as NodeJS.ErrnoException;
  if (code === 'SQLITE_FULL')
    return 'the disk of the data folder is full: free some space, and reading goes on';
  const reason = code === '' || code.startsWith('SQLITE_') ? message : fileProblem(problem);
  const remedy = remedyOf(problem);
  // A message of the host's may end with a full stop.
  return remedy === null ? reason : `${reason.replace(/\.$/, '')}; ${remedy}`;
}
