import { LRUCache } from 'lru-cache';
import type { Content } from './content.ts';

interface Cached {
  content: Content;
  /** By the monotonic clock. */
  until: number;
  revision: number;
}

/** For how long content is given again without being made anew. What visitors keep is older by as much. */
const freshMs = 2_000;
const maxBytes = 32 * 1024 * 1024;
/** Memory of an entry besides its body. */
const entryBytes = 1_000;

export interface ContentCacheOptions {
  /** Differs after players were hidden, shown or forgotten: content from before is not given again. */
  revision: () => number;
  monotonic: () => number;
}

/** Keeps content for seconds. Whoever asks for the same at once shares it. */
export class ContentCache {
  readonly #options: ContentCacheOptions;
  readonly #cached = new LRUCache<string, Cached>({
    maxSize: maxBytes,
    // Uncompressed and in two codings.
    sizeCalculation: ({ content }) => entryBytes + 3 * content.body.length,
  });
  readonly #making = new Map<string, { revision: number; content: Promise<Content | null> }>();

  constructor(options: ContentCacheOptions) {
    this.#options = options;
  }

  /** At once if it is fresh. Null is not kept: strangers can ask for endlessly many things that do not exist. */
  get(key: string, make: () => Promise<Content | null>): Content | Promise<Content | null> {
    const { revision, monotonic } = this.#options;
    const now = revision();
    const found = this.#cached.get(key);
    if (found !== undefined && found.revision === now && monotonic() < found.until) return found.content;
    const running = this.#making.get(key);
    if (running?.revision === now) return running.content;
    const content = this.#make(key, now, make).finally(() => {
      if (this.#making.get(key)?.content === content) this.#making.delete(key);
    });
    this.#making.set(key, { revision: now, content });
    return content;
  }

  async #make(key: string, revision: number, make: () => Promise<Content | null>): Promise<Content | null> {
    const until = this.#options.monotonic() + freshMs;
    const made = await make();
    if (made === null) return null;
    const previous = this.#cached.get(key)?.content;
    const isSame = previous?.status === made.status && previous.body.equals(made.body);
    const content = isSame ? previous : made;
    // Errors are reported anew at each request.
    if (made.status === 200) this.#cached.set(key, { content, until, revision });
    return content;
  }
}
