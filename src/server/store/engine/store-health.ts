import type { Logger } from 'pino';
import { systemClock } from '../../../process/clock.ts';
import { StoreUnavailable } from './error.ts';
import { codeOf, isAway, isRefused, isUnwritable } from './postgres/errors.ts';
import { isDamage } from './storage-errors.ts';

/** A trouble may have several reasons, or come and go: its end is reported after this long without a failure. */
const quietMs = 10_000;
/** On a full disk some writes still find room, so one that succeeds says little as long as others fail. */
const steadyMs = 1_000;

/** Codes of SQLite for a file that cannot be written. */
const unwritableFile = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/;

/** Logs that work on the store failed. While the store is away or cannot be written, that alone is logged, once (`StoreHealth`). */
export function logFailure(
  log: Logger,
  error: unknown,
  message: string,
  details: Record<string, unknown> = {},
): void {
  const { code } = error as { code?: unknown };
  const isReportedOnce = error instanceof StoreUnavailable || unwritableFile.test(String(code));
  log[isReportedOnce ? 'debug' : 'error']({ err: error, ...details }, message);
}

export type StoreState = 'damaged' | 'unwritable' | 'writable' | 'away' | 'available';

/**
 * Whether the store works. Its connections report statements that fail because the file is damaged, or because it
 * cannot be written (a full disk).
 */
export class StoreHealth {
  #isDamaged = false;
  #canWrite = true;
  #isAvailable = true;
  readonly #unwritable = new Trouble();
  readonly #away = new Trouble();
  readonly #onChange: (state: StoreState, error?: unknown) => void;
  readonly #monotonic: () => number;

  constructor(
    onChange: (state: StoreState, error?: unknown) => void = () => undefined,
    monotonic = systemClock.monotonic,
  ) {
    this.#onChange = onChange;
    this.#monotonic = monotonic;
  }

  /** False from the first sign of damage on: only another file helps. */
  get isSound(): boolean {
    return !this.#isDamaged;
  }

  /** False after a write that failed for lack of space or rights, until one succeeds and none has failed for a second. */
  get canWrite(): boolean {
    return this.#canWrite;
  }

  /** False from the first failure of a store that is away, on another machine or restarting, until it answers. */
  get isAvailable(): boolean {
    return this.#isAvailable;
  }

  /** Called with every error of a statement. */
  failed(error: unknown): void {
    const code = String((error as { code?: unknown }).code);
    if (isAway(error) || isRefused(error)) {
      if (this.#away.failed(codeOf(error), this.#monotonic())) this.#onChange('away', error);
      this.#isAvailable = false;
    } else if (isDamage(error)) {
      if (!this.#isDamaged) this.#onChange('damaged', error);
      this.#isDamaged = true;
    } else if (isUnwritable(error) || unwritableFile.test(code)) {
      if (this.#unwritable.failed(code, this.#monotonic())) this.#onChange('unwritable', error);
      this.#canWrite = false;
    }
  }

  /** A statement was answered. */
  answered(): void {
    this.#isAvailable = true;
    if (this.#away.ends(this.#monotonic())) this.#onChange('available');
  }

  /** A statement has changed something. */
  written(): void {
    const now = this.#monotonic();
    if (this.#unwritable.quietMs(now) >= steadyMs) this.#canWrite = true;
    if (this.#unwritable.ends(now)) this.#onChange('writable');
  }
}

/** What is reported once for each of its reasons, until it ends. */
class Trouble {
  readonly #reasons = new Set<string>();
  #failedAt = Number.NEGATIVE_INFINITY;

  /** @returns whether this reason is to be reported */
  failed(reason: string, now: number): boolean {
    this.#failedAt = now;
    const isNew = !this.#reasons.has(reason);
    this.#reasons.add(reason);
    return isNew;
  }

  quietMs(now: number): number {
    return now - this.#failedAt;
  }

  /** Called whenever something has worked. @returns whether the end is to be reported */
  ends(now: number): boolean {
    if (this.#reasons.size === 0 || this.quietMs(now) < quietMs) return false;
    this.#reasons.clear();
    return true;
  }
}
