import type { Database } from './database.ts';
import { isPostgres } from './dialect.ts';

/**
 * How long a transaction is to take, of which others should never wait for longer than 200 ms. SQLite writes the same pages
 * again in each, so with 70 ms an import takes a seventh more CPU time. PostgreSQL takes none more with 50 ms.
 */
const aimsMs = { sqlite: 120, postgres: 50 };
/** A transaction within these parts of the aim changes nothing. */
const longest = 4 / 3;
const shortest = 1 / 2;
/** A few rows may have been fast or slow by chance, and what follows them may be slower. */
const fastest = { growth: 2, shrinking: 4 };

/**
 * How much of a backlog to write in one transaction. Others wait for its locks, so the size follows the time that the
 * latest transactions took, which depends on the engine, on what is stored and on what else the machine does.
 */
export class SliceSize {
  readonly #aimMs: number;
  #size: number;
  readonly #most: number;
  readonly #least: number;

  /**
   * @param first of the first transaction; @param most and @param least of any, in the caller's unit. Where the store is far
   * away or busy, each transaction is long, and smaller ones would only be more.
   */
  constructor(
    db: Pick<Database, 'getExecutor'>,
    { first, most, least }: { first: number; most: number; least: number },
  ) {
    this.#aimMs = isPostgres(db) ? aimsMs.postgres : aimsMs.sqlite;
    this.#size = first;
    this.#most = most;
    this.#least = least;
  }

  get current(): number {
    return this.#size;
  }

  /** @param written how much was written while locks were held for `ms` */
  took(written: number, ms: number): void {
    const size = this.#size;
    const parts = ms / this.#aimMs;
    if (parts <= longest && (parts >= shortest || written < size)) return;
    const wanted = Math.floor(written / parts);
    const least = Math.max(this.#least, size / fastest.shrinking);
    const most = Math.min(this.#most, size * fastest.growth);
    this.#size = Math.floor(Math.max(least, Math.min(most, wanted)));
  }
}
