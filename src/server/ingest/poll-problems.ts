import { type ProblemChange, ProblemLog } from '../../process/problem-log.ts';
import { LeaseLost } from '../store/engine/error.ts';
import { fileErrorCode, fileProblem, remedyOf } from '../files/errors.ts';

/** The result of polling a source; `problem` is a problem that did not stop the poll. */
export interface PollResult<Report> {
  report?: Report;
  problem?: string | null;
}

/** The open problems of a source and its parts. */
export class PollProblems extends ProblemLog {
  /**
   * Polls a source. If `poll` returns null, the source was not read, and its problem stays open.
   * @returns null when nothing has changed
   */
  async attempt<Report>(
    key: string,
    poll: () => Promise<PollResult<Report> | null>,
  ): Promise<(ProblemChange & { report?: Report }) | null> {
    let outcome: ProblemChange & { report?: Report };
    try {
      const result = await poll();
      if (result === null) return null;
      const { problem = null, ...changes } = result;
      outcome = { ...changes, ...this.update(key, problem) };
    } catch (error) {
      // The process stops, or another one reads the source now, which is not a problem of the source.
      if (fileErrorCode(error) === 'ECLOSED' || error instanceof LeaseLost) return null;
      outcome = this.update(key, problemOf(error));
    }
    return Object.keys(outcome).length === 0 ? null : outcome;
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
