import type { Logger } from 'pino';
import { systemClock } from '../../../process/clock.ts';
import { StoreUnavailable } from './error.ts';
import { isAway, isRefused, isUnwritable } from './postgres/errors.ts';
import { isDamage } from './storage-errors.ts';

/**
 * A trouble is over when something works this long after the last failure: on a full disk some writes still find room, so that one
 * which succeeds says little as long as others fail.
 */
const quietMs = 1_000;

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
 * Whether the store works. Its connections report statements that fail because the file is damaged, because it cannot be written
 * (a full disk), or because it is away. Each trouble is reported once, and when it is over.
 */
export class StoreHealth {
  #isDamaged = false;
  #unwritableAt: number | null = null;
  #awayAt: number | null = null;
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
    return this.#unwritableAt === null;
  }

  /** False after a failure of a store that is away, on another machine or restarting, until it answers steadily. */
  get isAvailable(): boolean {
    return this.#awayAt === null;
  }

  /** Called with every error of a statement. */
  failed(error: unknown): void {
    const code = String((error as { code?: unknown }).code);
    const now = this.#monotonic();
    if (isAway(error) || isRefused(error)) {
      if (this.#awayAt === null) this.#onChange('away', error);
      this.#awayAt = now;
    } else if (isDamage(code)) {
      if (!this.#isDamaged) this.#onChange('damaged', error);
      this.#isDamaged = true;
    } else if (isUnwritable(error) || unwritableFile.test(code)) {
      if (this.#unwritableAt === null) this.#onChange('unwritable', error);
      this.#unwritableAt = now;
    }
  }

  /** A statement was answered. */
  answered(): void {
    if (this.#awayAt === null || this.#monotonic() - this.#awayAt < quietMs) return;
    this.#awayAt = null;
    this.#onChange('available');
  }

  /** A statement has changed something. */
  written(): void {
    if (this.#unwritableAt === null || this.#monotonic() - this.#unwritableAt < quietMs) return;
    this.#unwritableAt = null;
    this.#onChange('writable');
  }
}
