import { LeaseLost } from '../store/engine/error.ts';
import { fileErrorCode, fileProblem, remedyOf } from '../files/errors.ts';

/** How a problem has changed: `error` if it is new or different, `recovered` if it is resolved. */
export interface ProblemChange {
  error?: string;
  recovered?: true;
}

/** The result of polling a source; `problem` is a problem that did not stop the poll. */
export interface PollResult<Report> {
  report?: Report;
  problem?: string | null;
}

/** Logs each problem once, until it is resolved. */
export class ProblemLog {
  readonly #open = new Map<string, string>();

  /** @param problem an error or a message; null: there is no problem (any more) */
  update(key: string, problem: unknown): ProblemChange {
    if (problem === null) return this.#open.delete(key) ? { recovered: true } : {};
    const error = typeof problem === 'string' ? problem : problemOf(problem);
    if (error === this.#open.get(key)) return {};
    this.#open.set(key, error);
    return { error };
  }

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
      outcome = this.update(key, error);
    }
    return Object.keys(outcome).length === 0 ? null : outcome;
  }

  /** The open problem; null: none. */
  current(key: string): string | null {
    return this.#open.get(key) ?? null;
  }
}

/** The problem, and how to solve it. */
function problemOf(problem: unknown): string {
  const { code = '', message } = problem as NodeJS.ErrnoException;
  if (code === 'SQLITE_FULL') {
    return 'the disk of the data folder is full: free some space, and reading continues where it stopped';
  }
  const words = code === '' || code.startsWith('SQLITE_') ? message : fileProblem(problem);
  const remedy = remedyOf(problem);
  return remedy === null ? words : `${words}; ${remedy}`;
}
