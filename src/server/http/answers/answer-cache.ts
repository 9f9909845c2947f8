import { LRUCache } from 'lru-cache';
import { Representation, type Answering } from './representation.ts';

/** An answer with its validity. */
interface CachedAnswer {
  /** The data version from which it was made. */
  version: number;
  /**
   * From here on the answer is valid while nothing is written. Needed because the wall clock can be set back.
   */
  validFrom: number;
  /** Until here, exclusive. */
  validUntil: number;
  /** While this number is unchanged the answer is valid, even after other writes; undefined: it has none. */
  revision: number | undefined;
  representation: Representation;
}

/** How to make an answer. */
interface AnswerSource {
  /** The data version that the answer must show. */
  version: number;
  /** The present data version. */
  currentVersion: () => number;
  /** The clock of `validUntil`. */
  now: () => number;
  /** Only a `Representation` is kept. */
  make: () => Promise<Answering>;
  validUntil: (now: number) => Promise<number> | number;
  /** A number that changes whenever the answer may; left out: only `version` counts. */
  revision?: () => Promise<number | undefined>;
}

/** Memory per entry besides its bodies. */
const entryBytes = 2_000;

function isTrueAt({ validFrom, validUntil }: CachedAnswer, now: number): boolean {
  return validFrom <= now && now < validUntil;
}

/** Caches answers, each for one data version. */
export class Answers {
  readonly #cached: LRUCache<string, CachedAnswer>;
  readonly #inProgress = new Map<string, { version: number; made: Promise<Answering> }>();

  /** @param maxSize limit on the bodies in memory in bytes, compressed forms included */
  constructor(maxSize: number) {
    this.#cached = new LRUCache({
      maxSize,
      // Uncompressed, gzip and br; a compressed form is never larger.
      sizeCalculation: ({ representation }) => entryBytes + 3 * representation.size,
    });
  }

  /**
   * Returns the answer of this key: synchronously when it is cached and valid, otherwise made from its source.
   * Concurrent requests share it. Rejects as `make` does.
   */
  get(key: string, source: AnswerSource): Answering | Promise<Answering> {
    const found = this.#cached.get(key);
    if (found?.version === source.version && isTrueAt(found, source.now())) return found.representation;
    return this.#share(key, source);
  }

  get size(): number {
    return this.#cached.size;
  }

  async #share(key: string, source: AnswerSource): Promise<Answering> {
    const { version } = source;
    const running = this.#inProgress.get(key);
    if (running?.version === version) return await running.made;
    const made = this.#make(key, source);
    this.#inProgress.set(key, { version, made });
    try {
      return await made;
    } finally {
      if (this.#inProgress.get(key)?.made === made) this.#inProgress.delete(key);
    }
  }

  async #make(key: string, source: AnswerSource): Promise<Answering> {
    const { version, now, validUntil } = source;
    const revision = await source.revision?.();
    const previous = this.#cached.get(key);
    if (previous?.revision !== undefined && previous.revision === revision && isTrueAt(previous, now())) {
      return this.#keep(key, source, { ...previous, version });
    }
    const at = now();
    const until = await validUntil(at);
    const made = await source.make();
    if (!(made instanceof Representation)) return made;
    return this.#keep(key, source, {
      version,
      validFrom: until === Infinity ? -Infinity : at,
      validUntil: until,
      revision,
      // If the write changed something else, keep the one with its compressed forms.
      representation: previous?.representation.etag === made.etag ? previous.representation : made,
    });
  }

  #keep(key: string, { version, currentVersion }: AnswerSource, answer: CachedAnswer): Answering {
    // An answer that was read during a write may mix two data versions.
    if (currentVersion() === version) this.#cached.set(key, answer);
    return answer.representation;
  }
}
