import { fileProblem } from './errors.ts';

/** The news of a problem: `error` when it is new or another one, `recovered` when it is over. */
export interface Told {
  error?: string;
  recovered?: true;
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
