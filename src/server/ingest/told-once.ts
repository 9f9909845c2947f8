import { fileErrorCode, fileProblem } from './errors.ts';

/** The news of a problem: `error` when it is new or another one, `recovered` when it is over. */
export interface Told {
  error?: string;
  recovered?: true;
}

/** What one look at a source has brought; `problem` is what went wrong without ending it. */
export interface Looked<Report> {
  report?: Report;
  problem?: string | null;
}

/** Remembers which problems were told, so that a log has each once and not at every look. */
export class ToldOnce {
  readonly #standing = new Map<string, string>();

  /** @param problem an error, or words for one; null: there is none (any more) */
  tell(key: string, problem: unknown): Told {
    if (problem === null) return this.#standing.delete(key) ? { recovered: true } : {};
    const error = typeof problem === 'string' ? problem : problemOf(problem);
    if (error === this.#standing.get(key)) return {};
    this.#standing.set(key, error);
    return { error };
  }

  /**
   * Looks at a source; what goes wrong is told once. When `look` gives null nothing was looked into, and a problem stands
   * as it was.
   * @returns null when there is no news
   */
  async attempt<Report>(
    key: string,
    look: () => Promise<Looked<Report> | null>,
  ): Promise<(Told & { report?: Report }) | null> {
    let outcome: Told & { report?: Report };
    try {
      const looked = await look();
      if (looked === null) return null;
      const { problem = null, ...news } = looked;
      outcome = { ...news, ...this.tell(key, problem) };
    } catch (error) {
      // The end is no problem of the source.
      if (fileErrorCode(error) === 'ECLOSED') return null;
      outcome = this.tell(key, error);
    }
    return Object.keys(outcome).length === 0 ? null : outcome;
  }

  /** The problem that stands; null: none. */
  standing(key: string): string | null {
    return this.#standing.get(key) ?? null;
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
