import type { Clock } from '../../../process/clock.ts';
import { fileErrorCode } from '../errors.ts';

/** When a host answered last. That a file is not there is an answer, too. */
export class LastAnswer {
  readonly #clock: Clock;
  /** Epoch milliseconds; null: never. */
  at: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async note<T>(request: () => Promise<T>): Promise<T> {
    try {
      const result = await request();
      this.at = this.#clock.now();
      return result;
    } catch (error) {
      const code = fileErrorCode(error);
      if (code !== 'EREMOTE' && code !== 'ECLOSED') this.at = this.#clock.now();
      throw error;
    }
  }
}
