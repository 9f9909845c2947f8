import { LRUCache } from 'lru-cache';
import { jsonType } from './answer.ts';
import { Representation } from './representation.ts';

/** An answer with how long it is true. */
interface CachedAnswer {
  /** State of the data from which it was made. */
  version: number;
  /** From here on (epoch ms) the answer is true as long as nothing is written. The wall clock can also be set back. */
  validFrom: number;
  /** Until here (epoch ms), not included. */
  validUntil: number;
  /** As long as it is the same the answer is, whatever else was written; undefined: there is none. */
  revision: number | undefined;
  representation: Representation;
}

/** What an answer is made from. */
export interface AnswerSource {
  /** State of the data that the answer has to show. */
  version: number;
  /** State of the data now. */
  currentVersion: () => number;
  now: () => number;
  body: () => Promise<unknown>;
  validUntil: (now: number) => Promise<number>;
  /** Changes whenever the body may; undefined: only `version` says. */
  revision: () => Promise<number | undefined>;
  /** Headers of every such answer, names and values in turns. */
  headers: readonly string[];
}

/** Caches answers, each true for one state of the data. */
export interface Answers {
  /**
   * The answer under this key: at once when it is cached and still true, else made from its source. Requests that ask
   * meanwhile share it. Rejects as `body` does.
   */
  get(key: string, source: AnswerSource): Representation | Promise<Representation>;
  /** Answers in memory. */
  readonly size: number;
}

/** Bound on the bodies in memory, compressed forms included. */
const maxBytes = 64 * 1024 * 1024;
/** What an entry takes besides its bodies. */
const entryBytes = 2_000;

function isTrueAt({ validFrom, validUntil }: CachedAnswer, now: number): boolean {
  return validFrom <= now && now < validUntil;
}

export function createAnswers(): Answers {
  const cached = new LRUCache<string, CachedAnswer>({
    maxSize: maxBytes,
    // As it is, gzip and br; a compressed form is never the larger one.
    sizeCalculation: ({ representation }) => entryBytes + 3 * representation.size,
  });
  const inProgress = new Map<string, { version: number; made: Promise<Representation> }>();

  const makeAnew = async (
    revision: number | undefined,
    { version, now, validUntil, body, headers }: AnswerSource,
    previous: CachedAnswer | undefined,
  ): Promise<CachedAnswer> => {
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
  };

  const make = async (key: string, source: AnswerSource): Promise<Representation> => {
    const { version } = source;
    const revision = await source.revision();
    const previous = cached.get(key);
    const stillTrue =
      previous?.revision !== undefined && previous.revision === revision && isTrueAt(previous, source.now());
    const answer = stillTrue ? { ...previous, version } : await makeAnew(revision, source, previous);
    // An answer that was read during a write may mix two states of the data.
    if (source.currentVersion() === version) cached.set(key, answer);
    return answer.representation;
  };

  const share = async (key: string, source: AnswerSource): Promise<Representation> => {
    const { version } = source;
    const running = inProgress.get(key);
    if (running?.version === version) return await running.made;
    const made = make(key, source);
    inProgress.set(key, { version, made });
    try {
      return await made;
    } finally {
      if (inProgress.get(key)?.made === made) inProgress.delete(key);
    }
  };

  return {
    get(key, source) {
      const found = cached.get(key);
      if (found?.version === source.version && isTrueAt(found, source.now())) return found.representation;
      return share(key, source);
    },
    get size() {
      return cached.size;
    },
  };
}
