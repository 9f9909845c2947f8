import { LRUCache } from 'lru-cache';
import { Representation } from './representation.ts';

/** An answer with how long it is true. */
export interface KeptAnswer {
  /** State of the data from which it was made. */
  version: number;
  /** Between these moments (epoch ms) the answer is true as long as nobody writes. The wall clock can also be set back. */
  validFrom: number;
  /** Not included. */
  validUntil: number;
  /** As long as it is the same the answer is, whatever else was written; undefined: there is none. */
  revision: number | undefined;
  representation: Representation;
}

/** What an answer is made from. */
export interface AnswerSource {
  /** State of the data now. */
  version: () => number;
  now: () => number;
  body: () => Promise<unknown>;
  validUntil: (now: number) => Promise<number>;
  /** Changes whenever the body may; undefined: only `version` tells. */
  revision: () => Promise<number | undefined>;
  /** Headers of every such answer, names and values in turns. */
  headers: readonly string[];
}

/** Answers ready to be sent, each true for one state of the data. */
export interface Answers {
  /** The answer kept under this key, if it is still true. */
  peek(key: string, version: number, now: number): KeptAnswer | undefined;
  /** The same, made when it is not there; requests that ask meanwhile share it. Rejects as `body` does. */
  get(key: string, source: AnswerSource): Promise<Representation>;
  /** Answers in memory. */
  readonly size: number;
}

/** Bound on the bodies in memory, compressed forms included. */
const mostBytes = 64 * 1024 * 1024;
/** What an entry takes besides its bodies. */
const entryBytes = 2_000;

function holdsAt({ validFrom, validUntil }: KeptAnswer, now: number): boolean {
  return validFrom <= now && now < validUntil;
}

export function createAnswers(): Answers {
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: mostBytes,
    // As it is, gzip and br, each once as bytes and once as text; a compressed form is never the greater.
    sizeCalculation: ({ representation }) => entryBytes + 6 * representation.identity.body.length,
  });
  const making = new Map<string, { version: number; made: Promise<Representation> }>();

  const peek: Answers['peek'] = (key, version, now) => {
    const found = kept.get(key);
    return found?.version === version && holdsAt(found, now) ? found : undefined;
  };

  const makeAnew = async (
    version: number,
    revision: number | undefined,
    source: AnswerSource,
    former: KeptAnswer | undefined,
  ): Promise<KeptAnswer> => {
    const at = source.now();
    const validUntil = await source.validUntil(at);
    const validFrom = validUntil === Infinity ? -Infinity : at;
    const made = new Representation(JSON.stringify(await source.body()), source.headers);
    // A write elsewhere left this answer as it was: what was compressed need not be compressed again.
    const isSame = former?.representation.identity.etag === made.identity.etag;
    return {
      version,
      validFrom,
      validUntil,
      revision,
      representation: isSame ? former.representation : made,
    };
  };

  const make = async (key: string, version: number, source: AnswerSource): Promise<Representation> => {
    const revision = await source.revision();
    const former = kept.get(key);
    const stillHolds =
      former?.revision !== undefined && former.revision === revision && holdsAt(former, source.now());
    const answer = stillHolds ? { ...former, version } : await makeAnew(version, revision, source, former);
    // What was read while somebody wrote may be half of one state and half of the next.
    if (source.version() === version) kept.set(key, answer);
    return answer.representation;
  };

  return {
    peek,
    async get(key, source) {
      const version = source.version();
      const ready = peek(key, version, source.now());
      if (ready !== undefined) return ready.representation;
      const running = making.get(key);
      if (running?.version === version) return await running.made;
      const made = make(key, version, source);
      making.set(key, { version, made });
      try {
        return await made;
      } finally {
        if (making.get(key)?.made === made) making.delete(key);
      }
    },
    get size() {
      return kept.size;
    },
  };
}
