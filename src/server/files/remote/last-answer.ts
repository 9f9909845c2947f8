import type { Clock } from '../../../process/clock.ts';
import { fileErrorCode } from '../errors.ts';

/** A longer request no longer blocks the others. */
const slowMs = 1_000;

/** When a host answered last. That a file is not there is an answer, too. */
export class LastAnswer {
  readonly #clock: Clock;
  /** Epoch milliseconds; null: never. */
  at: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param onSilent called when the request takes long */
  async note<T>(onSilent: () => void, request: () => Promise<T>): Promise<T> {
    const timer = setTimeout(onSilent, slowMs);
    try {
      const result = await request();
      this.at = this.#clock.now();
      return result;
    } catch (error) {
      const code = fileErrorCode(error);
      if (code !== 'EREMOTE' && code !== 'ECLOSED') this.at = this.#clock.now();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
