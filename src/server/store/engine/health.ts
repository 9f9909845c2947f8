import { isDamage } from './storage-errors.ts';

export type StoreState = 'damaged' | 'unwritable' | 'writable';

/**
 * Whether the store works. Its connections report statements that fail because the file is damaged, or because it
 * cannot be written (a full disk).
 */
export class StoreHealth {
  #isDamaged = false;
  #canWrite = true;
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

  /** Called with every error of a statement. */
  failed(error: unknown): void {
    const code = String((error as { code?: unknown }).code);
    if (isDamage(code)) {
      if (!this.#isDamaged) this.#onChange('damaged', error);
      this.#isDamaged = true;
    } else if (/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(code)) {
      if (this.#canWrite) this.#onChange('unwritable', error);
      this.#canWrite = false;
    }
  }

  written(): void {
    if (!this.#canWrite) this.#onChange('writable');
    this.#canWrite = true;
  }
}
