import { isAway } from './postgres/errors.ts';
import { isDamage } from './storage-errors.ts';

export type StoreState = 'damaged' | 'unwritable' | 'writable' | 'away' | 'available';

/**
 * Whether the store works. Its connections report statements that fail because the file is damaged, or because it
 * cannot be written (a full disk).
 */
export class StoreHealth {
  #isDamaged = false;
  #canWrite = true;
  #isAvailable = true;
  readonly #onChange: (state: StoreState, error?: unknown) => void;

  constructor(onChange: (state: StoreState, error?: unknown) => void = () => undefined) {
    this.#onChange = onChange;
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
    if (isAway(error)) {
      if (this.#isAvailable) this.#onChange('away', error);
      this.#isAvailable = false;
    } else if (isDamage(code)) {
      if (!this.#isDamaged) this.#onChange('damaged', error);
      this.#isDamaged = true;
    } else if (/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)|^(53100|25006)$/.test(code)) {
      if (this.#canWrite) this.#onChange('unwritable', error);
      this.#canWrite = false;
    }
  }

  /** A statement was answered. */
  answered(): void {
    if (!this.#isAvailable) this.#onChange('available');
    this.#isAvailable = true;
  }

  written(): void {
    if (!this.#canWrite) this.#onChange('writable');
    this.#canWrite = true;
  }
}
