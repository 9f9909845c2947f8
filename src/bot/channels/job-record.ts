import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import { loggable } from '../loggable.ts';

/** What is stored of a job. */
export interface JobRecord {
  /** The kind's own. Left out: it has none yet. */
  state?: unknown;
  /** The kept and the standing messages in the channel, by their ids. */
  sent: Record<string, { messageId: string; digest: string }>;
  /** The message that is being sent, stored before each attempt. */
  inDoubt: InDoubt | null;
}

interface InDoubt {
  id: string;
  event: string | number;
  /** The time of the first attempt, epoch milliseconds. */
  since: number;
  /** Whom any attempt named: one of them may be hidden or forgotten by now, and the first attempt be the one that arrived. */
  players: readonly number[];
}

interface StoredRecordOptions {
  key: string;
  /** For log lines. */
  name: string;
  /** Kept messages are in the channel already, so their record counts although it could not be stored. */
  keepsMessage: boolean;
  /** Must throw on failure. */
  keyv: Keyv;
  log: Logger;
}

/** The record of a job, in memory and in the store. */
export class StoredRecord {
  readonly #options: StoredRecordOptions;
  /** Null: not read yet. */
  #record: JobRecord | null = null;
  /** As it is stored. */
  #storedText = '';
  #isUnsaved = false;

  constructor(options: StoredRecordOptions) {
    this.#options = options;
  }

  /** As it was last read or changed. */
  get value(): JobRecord {
    return this.#record ?? { sent: {}, inDoubt: null };
  }

  /** @throws when the store cannot be read */
  async read(): Promise<void> {
    if (this.#record !== null) return;
    const { keyv, key } = this.#options;
    this.#record = (await keyv.get<JobRecord>(key)) ?? this.value;
    this.#storedText = JSON.stringify(this.#record);
  }

  /** Changes it in memory, to be stored with the next `save`. */
  change(changed: Partial<JobRecord>): void {
    this.#record = { ...this.value, ...changed };
  }

  /**
   * Stores what has changed.
   * @throws when it cannot be stored, and nothing has changed then; for kept messages it is tried again with the next `save`
   */
  async save(changed: Partial<JobRecord> = {}): Promise<void> {
    const { keyv, key, keepsMessage, name, log } = this.#options;
    const next = { ...this.value, ...changed };
    if (keepsMessage) this.#record = next;
    const text = JSON.stringify(next);
    if (text !== this.#storedText) {
      try {
        // Without an error listener, Keyv may return false instead of throwing.
        if (!(await keyv.set(key, next))) throw new Error('the state was not written');
      } catch (error) {
        if (!keepsMessage) throw error;
        if (!this.#isUnsaved) {
          const problem = 'could not save the message id; a restart now would post a second message';
          log.warn({ error: loggable(error) }, `${name}: ${problem}`);
        }
        this.#isUnsaved = true;
        return;
      }
      this.#storedText = text;
    }
    this.#isUnsaved = false;
    this.#record = next;
  }
}
