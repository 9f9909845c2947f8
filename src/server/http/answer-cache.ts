import { LRUCache } from 'lru-cache';
import { jsonType } from './answer.ts';
import { Representation } from './representation.ts';

/** An answer with its validity. */
interface CachedAnswer {
  /** The data version from which it was made. */
  version: number;
  /**
   * From here on (epoch ms) the answer is valid while nothing is written. Needed because the wall clock can be set
   * back.
   */
  validFrom: number;
  /** Until here (epoch ms), exclusive. */
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
  now: () => number;
  body: () => Promise<unknown>;
  validUntil: (now: number) => Promise<number>;
  /** A number that changes whenever the body may; undefined: only `version` counts. */
  revision: () => Promise<number | undefined>;
  /** Headers of each answer, names and values in turns. */
  headers: readonly string[];
}

/** Limit on the bodies in memory, compressed forms included. */
const maxBytes = 64 * 1024 * 1024;
/** Memory per entry besides its bodies. */
const entryBytes = 2_000;

function isTrueAt({ validFrom, validUntil }: CachedAnswer, now: number): boolean {
  return validFrom <= now && now < validUntil;
}

/** Caches answers, each for one data version. */
export class Answers {
  readonly #cached = new LRUCache<string, CachedAnswer>({
    maxSize: maxBytes,
    // Uncompressed, gzip and br; a compressed form is never larger.
    sizeCalculation: ({ representation }) => entryBytes + 3 * representation.size,
  });
  readonly #inProgress = new Map<string, { version: number; made: Promise<Representation> }>();

  /**
   * Returns the answer of this key: synchronously when it is cached and valid, otherwise made from its source.
   * Concurrent requests share it. Rejects as `body` does.
   */
  get(key: string, source: AnswerSource): Representation | Promise<Representation> {
    const found = this.#cached.get(key);
    if (found?.version === source.version && isTrueAt(found, source.now())) return found.representation;
    return this.#share(key, source);
  }

  get size(): number {
    return this.#cached.size;
  }

  async #share(key: string, source: AnswerSource): Promise<Representation> {
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

  async #make(key: string, source: AnswerSource): Promise<Representation> {
    const { version } = source;
    const revision = await source.revision();
    const previous = this.#cached.get(key);
    const stillTrue =
      previous?.revision !== undefined && previous.revision === revision && isTrueAt(previous, source.now());
    const answer = stillTrue ? { ...previous, version } : await makeAnew(revision, source, previous);
    // An answer that was read during a write may mix two data versions.
    if (source.currentVersion() === version) this.#cached.set(key, answer);
    return answer.representation;
  }
}

async function makeAnew(
  revision: number | undefined,
  { version, now, validUntil, body, headers }: AnswerSource,
  previous: CachedAnswer | undefined,
): Promise<CachedAnswer> {
  const at = now();
  const until = await validUntil(at);
  const made = new Representation(Buffer.from(JSON.stringify(await body())), jsonType, headers);
  // If the write changed something else, keep the representation with its compressed forms.
  const isSame = previous?.representation.etag === made.etag;
  return {
    version,
    validFrom: until === Infinity ? -Infinity : at,
    validUntil: until,
    revision,
    representation: isSame ? previous.representation : made,
  };
}
