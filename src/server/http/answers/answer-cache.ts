import { LRUCache } from 'lru-cache';
import type { Representation } from './representation.ts';

/** For how long an answer is given again. So what callers see is at most this much older than the store. */
export const keptMs = 1_000;

/** Memory per entry besides its bodies. */
const entryBytes = 2_000;

type Make = () => Promise<Representation>;

export class AnswerCache {
  readonly #kept: LRUCache<string, Representation, Make>;

  /** @param maxSize limit on the bodies in memory in bytes, compressed forms included */
  constructor(maxSize: number, monotonic: () => number) {
    this.#kept = new LRUCache<string, Representation, Make>({
      maxSize,
      // Uncompressed, gzip and br; a compressed form is never larger.
      sizeCalculation: ({ size }) => entryBytes + 3 * size,
      ttl: keptMs,
      ttlResolution: 0,
      perf: { now: monotonic },
      // The next one takes its place, or keeps it.
      noDeleteOnStaleGet: true,
      // Who waits for an answer gets it, even if there is no place left to keep it.
      ignoreFetchAbort: true,
      async fetchMethod(_key, previous, { context: make }) {
        const made = await make();
        // The same body: keep the one with its compressed forms.
        return previous?.etag === made.etag && previous.status === made.status ? previous : made;
      },
    });
  }

  /** The answer of this key, made if there is none from the last second. Concurrent requests share it. Rejects as `make` does. */
  async get(key: string, make: Make): Promise<Representation> {
    return this.#kept.get(key) ?? (await this.#kept.forceFetch(key, { context: make }));
  }

  get size(): number {
    return this.#kept.size;
  }
}
