import type { FastifyRequest } from 'fastify';
import { whenReady, type Answer } from './answer.ts';
import { compress, compressFromBytes, wantedCodings, type ContentCoding } from './content-coding.ts';
import { entityTag, noneMatchNames } from './entity-tag.ts';

/** A body in one coding. */
interface Variant {
  body: Buffer;
  etag: string;
  coding: ContentCoding | null;
}

/** What a path answers for as long as its data stay the same: as it is and, once somebody wants it, compressed. */
export class Representation {
  readonly identity: Variant;
  readonly #contentType: string;
  readonly #headers: readonly string[];
  readonly #compressed = new Map<ContentCoding, Variant | Promise<Variant>>();

  /** `headers`: what each answer has, a 304 included; names and values in turns. */
  constructor(body: Buffer, contentType: string, headers: readonly string[]) {
    this.identity = { body, etag: entityTag(body), coding: null };
    this.#contentType = contentType;
    this.#headers = headers;
  }

  /** A 200 in the coding that the caller prefers, or a 304 where the caller has that already. */
  answer({ raw: { headers } }: FastifyRequest, vary: string): Answer | Promise<Answer> {
    return whenReady(this.#variant(wantedCodings(headers['accept-encoding'])), ({ body, etag, coding }) => {
      const own = [...this.#headers, 'ETag', etag];
      if (noneMatchNames(headers['if-none-match'], etag))
        return { status: 304, headers: own, vary, body: null };
      own.push('Content-Type', this.#contentType);
      if (coding !== null) own.push('Content-Encoding', coding);
      return { status: 200, headers: own, vary, body };
    });
  }

  #variant([coding]: readonly ContentCoding[]): Variant | Promise<Variant> {
    if (coding === undefined || this.identity.body.length < compressFromBytes) return this.identity;
    let variant = this.#compressed.get(coding);
    if (variant === undefined) this.#compressed.set(coding, (variant = this.#compress(coding)));
    return variant;
  }

  async #compress(coding: ContentCoding): Promise<Variant> {
    const { identity } = this;
    try {
      const body = await compress(identity.body, coding);
      // A strong tag names bytes, so each coding has its own.
      const etag = `${identity.etag.slice(0, -1)}-${coding}"`;
      const variant = body.length < identity.body.length ? { body, etag, coding } : identity;
      this.#compressed.set(coding, variant);
      return variant;
    } catch (error) {
      this.#compressed.delete(coding);
      throw error;
    }
  }
}
