import { systemClock } from '../../../process/clock.ts';
import { codeOf, isAway, isRefused, isUnwritable } from './postgres/errors.ts';
import { isDamage } from './storage-errors.ts';

/** A store that was away for several reasons, or answers now and then, is back after this long without a failure. */
const quietMs = 10_000;

export type StoreState = 'damaged' | 'unwritable' | 'writable' | 'away' | 'available';

/**
 * Whether the store works. Its connections report statements that fail because the file is damaged, or because it
 * cannot be written (a full disk).
 */
export class StoreHealth {
  #isDamaged = false;
  #canWrite = true;
  #isAvailable = true;
  /** Why the store is away, as reported; none: it is not. */
  readonly #reasons = new Set<string>();
  #awayAt = 0;
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

  /** False after a write that failed for lack of space or rights, until one succeeds. */
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
      const reason = codeOf(error);
      if (!this.#reasons.has(reason)) this.#onChange('away', error);
      this.#reasons.add(reason);
      this.#awayAt = this.#monotonic();
      this.#isAvailable = false;
    } else if (isDamage(code)) {
      if (!this.#isDamaged) this.#onChange('damaged', error);
      this.#isDamaged = true;
    } else if (isUnwritable(error) || /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(code)) {
      if (this.#canWrite) this.#onChange('unwritable', error);
      this.#canWrite = false;
    }
  }

  /** A statement was answered. */
  answered(): void {
    this.#isAvailable = true;
    if (this.#reasons.size === 0 || this.#monotonic() - this.#awayAt < quietMs) return;
    this.#reasons.clear();
    this.#onChange('available');
  }

  written(): void {
    if (!this.#canWrite) this.#onChange('writable');
    this.#canWrite = true;
  }
}
