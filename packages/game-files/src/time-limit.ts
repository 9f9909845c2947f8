/** Resolves with the work's value, or with `'late'` after `ms`. The work itself goes on; its failure is ignored then. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Work that is given up at once when its owner closes. */
export class UnderWay {
  // A race against one promise that lasts as long as the owner would keep every result in memory.
  readonly #rejects = new Set<(error: Error) => void>();

  async run<T>(work: Promise<T>): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      this.#rejects.add(reject);
      work.then(resolve, reject).finally(() => this.#rejects.delete(reject));
    });
  }

  /** Rejects all that has not ended. */
  end(error: Error): void {
    for (const reject of this.#rejects) reject(error);
  }
}
