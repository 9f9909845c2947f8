import { fileErrorCode, fileProblem } from './errors.ts';

/** How a problem has changed: `error` when it is new or another one, `recovered` when it is resolved. */
export interface ProblemChange {
  error?: string;
  recovered?: true;
}

/** What one poll of a source has brought; `problem` is what went wrong without ending it. */
export interface PollResult<Report> {
  report?: Report;
  problem?: string | null;
}

/** Logs each problem once, until it is resolved. */
export class ProblemLog {
  readonly #open = new Map<string, string>();

  /** @param problem an error, or words for one; null: there is none (any more) */
  update(key: string, problem: unknown): ProblemChange {
    if (problem === null) return this.#open.delete(key) ? { recovered: true } : {};
    const error = typeof problem === 'string' ? problem : problemOf(problem);
    if (error === this.#open.get(key)) return {};
    this.#open.set(key, error);
    return { error };
  }

  /**
   * Polls a source. When `poll` gives null the source was not read, and its problem stays open.
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
      // The port is closed when the process stops; that is no problem of the source.
      if (fileErrorCode(error) === 'ECLOSED') return null;
      outcome = this.update(key, error);
    }
    return Object.keys(outcome).length === 0 ? null : outcome;
  }

  /** The open problem; null: none. */
  current(key: string): string | null {
    return this.#open.get(key) ?? null;
  }
}

/** What went wrong, and what helps. */
function problemOf(problem: unknown): string {
  const { code = '', message } = problem as NodeJS.ErrnoException;
  if (code === 'SQLITE_FULL') {
    return 'the disk of the data folder is full: make room there, and it is read on where it was left';
  }
  return code === '' || code.startsWith('SQLITE_') ? message : fileProblem(problem);
}
