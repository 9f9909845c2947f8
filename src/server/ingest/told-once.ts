import { SourceError, fileProblem } from './errors.ts';

/** The news of a problem: `error` when it is new or another one, `recovered` when it is over. */
export interface Told {
  error?: string;
  recovered?: true;
}

/** Remembers which problems were told, so that a log has each once and not at every look. */
export class ToldOnce {
  readonly #told = new Map<string, string>();

  /** @param problem null: there is none */
  tell(key: string, problem: unknown): Told {
    const told = this.#told.get(key);
    if (problem === null) {
      if (!this.#told.delete(key)) return {};
      return { recovered: true };
    }
    const error = problemOf(problem);
    if (error === told) return {};
    this.#told.set(key, error);
    return { error };
  }
}

/** What went wrong, in words for an owner. */
export function problemOf(problem: unknown): string {
  if (problem instanceof SourceError) return problem.message;
  const isSystem = (problem as NodeJS.ErrnoException).code !== undefined;
  return isSystem ? fileProblem(problem) : (problem as Error).message;
}
