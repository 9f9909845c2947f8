import type { Keyv } from 'keyv';

/** What is stored of a job. */
interface JobRecord {
  /** The kind's own. Left out: it has none yet. */
  state?: unknown;
  /** The message that is kept up to date, and a hash of what it shows. */
  kept: { messageId: string; digest: string } | null;
  /** The standing messages' ids on Discord, by the ids that the kind gave them. */
  standing: Readonly<Record<string, string>>;
  /** The message that is being sent, stored before each attempt. */
  inDoubt: InDoubt | null;
}

interface InDoubt {
  id: string;
  event: number;
  /** The time of the first attempt, epoch milliseconds. */
  since: number;
  /** Whom any attempt named: one of them may be hidden or forgotten by now, and the first attempt be the one that arrived. */
  players: readonly number[];
}

/** The record of a job, in memory and in the store. */
export class StoredRecord {
  readonly #key: string;
  readonly #keyv: Keyv;
  #record: JobRecord = { kept: null, standing: {}, inDoubt: null };
  /** As it is stored. Null: not read yet. */
  #stored: string | null = null;

  /** @param keyv throws on failure */
  constructor(key: string, keyv: Keyv) {
    this.#key = key;
    this.#keyv = keyv;
  }

  /** As it was last read or changed. */
  get value(): JobRecord {
    return this.#record;
  }

  /** @throws when the store cannot be read */
  async read(): Promise<void> {
    if (this.#stored !== null) return;
    const stored = await this.#keyv.get<JobRecord>(this.#key);
    this.#record = { ...this.#record, ...stored };
    this.#stored = JSON.stringify(stored ?? this.#record);
  }

  /** What the channel already shows: it counts, whether it can be stored or not. The next `save` stores it. */
  change(changed: Partial<JobRecord>): void {
    this.#record = { ...this.#record, ...changed };
  }

  /** Stores what has changed, and this. @throws when it cannot be stored; `changed` does not count then */
  async save(changed: Partial<JobRecord> = {}): Promise<void> {
    const next = { ...this.#record, ...changed };
    const text = JSON.stringify(next);
    if (text !== this.#stored) {
      // Without an error listener, Keyv may return false instead of throwing.
      if (!(await this.#keyv.set(this.#key, next))) throw new Error('the state was not written');
      this.#stored = text;
    }
    this.#record = next;
  }
}
