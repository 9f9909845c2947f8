import { setTimeout as sleep } from 'node:timers/promises';

/** Others should never wait for longer than 200 ms. Many short transactions write the same pages again and again. */
const aimMs = 120;
const longMs = 160;
const shortMs = 60;
/** A few rows may have been fast or slow by chance. */
const fastest = 4;

/** Longer than a writer of another connection to SQLite waits until it tries again (`writer-dialect.ts`). */
const pauseMs = 15;

/**
 * How much of a backlog to write in one transaction. Others wait for its locks, so the size follows the time that the
 * latest transactions took, which depends on the engine, on what is stored and on what else the machine does.
 */
export class SliceSize {
  #size: number;
  readonly #most: number;
  readonly #least: number;

  /**
   * @param first of the first transaction; @param most and @param least of any, in the caller's unit. Where the store is far
   * away, each transaction is long, and smaller ones would only be more.
   */
  constructor({ first, most, least = 1 }: { first: number; most: number; least?: number }) {
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
    if (ms <= longMs && (ms >= shortMs || written < size)) return;
    const wanted = Math.floor((written * aimMs) / ms);
    const [least, most] = [Math.max(this.#least, size / fastest), Math.min(this.#most, size * fastest)];
    this.#size = Math.floor(Math.max(least, Math.min(most, wanted)));
  }
}

/** Between two transactions of a backlog: lets other writers go first. */
export async function letOthersWrite(): Promise<void> {
  await sleep(pauseMs);
}
