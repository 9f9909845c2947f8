/** How a problem has changed: `error` if it is new or different, `recovered` if it is resolved. */
export interface ProblemChange {
  error?: string;
  recovered?: true;
}

/** The open problems, so that each is logged once, until it is resolved. */
export class ProblemLog {
  readonly #open = new Map<string, string>();

  get size(): number {
    return this.#open.size;
  }

  /** @param problem null: there is none (any more) @returns what is to be logged */
  update(key: string, problem: string | null): ProblemChange {
    if (problem === null) return this.#open.delete(key) ? { recovered: true } : {};
    if (problem === this.#open.get(key)) return {};
    this.#open.set(key, problem);
    return { error: problem };
  }

  /** The open problem; null: none. */
  current(key: string): string | null {
    return this.#open.get(key) ?? null;
  }
}
