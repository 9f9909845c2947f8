import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { whenReady, type Answer } from './answer.ts';
import {
  compress,
  compressFromBytes,
  isCompressed,
  wantedCodings,
  type ContentCoding,
} from './content-coding.ts';

/** A body in one coding with its headers, names and values in turns. */
interface Variant {
  body: Buffer;
  etag: string;
  headers: readonly string[];
  notModifiedHeaders: readonly string[];
}

/** What answers the requests for one thing, each in the coding that it wants. */
export interface Answering {
  /** Of the uncompressed body; null: nobody is to keep the answer. */
  readonly etag: string | null;
  /** Size of the uncompressed body in bytes. */
  readonly size: number;
  /** @param vary request headers on which the answer depends */
  answer(request: FastifyRequest, vary: string): Answer | Promise<Answer>;
}

/** The body of a path while its data is unchanged: uncompressed and, once requested, compressed. */
export class Representation implements Answering {
  readonly #contentType: string;
  readonly #shared: readonly string[];
  readonly #identity: Variant;
  readonly #compressed = new Map<ContentCoding, Variant | Promise<Variant>>();

  /** `shared`: headers of each answer, including a 304; names and values in turns. */
  constructor(body: Buffer, contentType: string, shared: readonly string[]) {
    this.#contentType = contentType;
    this.#shared = shared;
    this.#identity = this.#describe(body, entityTag(body), []);
  }

  get etag(): string {
    return this.#identity.etag;
  }

  get size(): number {
    return this.#identity.body.length;
  }

  /** A 200 in the caller's preferred coding, or a 304 if the caller already has the body. */
  answer({ raw: { headers: asked } }: FastifyRequest, vary: string): Answer | Promise<Answer> {
    return whenReady(this.#variant(wantedCodings(asked['accept-encoding'])), (variant) => {
      const { body, etag, headers, notModifiedHeaders } = variant;
      return noneMatchNames(asked['if-none-match'], etag)
        ? { status: 304, headers: notModifiedHeaders, vary, body: null }
        : { status: 200, headers, vary, body };
    });
  }

  #variant([coding]: readonly ContentCoding[]): Variant | Promise<Variant> {
    if (coding === undefined || this.size < compressFromBytes || isCompressed(this.#contentType)) {
      return this.#identity;
    }
    let variant = this.#compressed.get(coding);
    if (variant === undefined) this.#compressed.set(coding, (variant = this.#compress(coding)));
    return variant;
  }

  async #compress(coding: ContentCoding): Promise<Variant> {
    try {
      const body = await compress(this.#identity.body, coding);
      // A strong tag identifies bytes, so each coding has its own.
      const etag = `${this.etag.slice(0, -1)}-${coding}"`;
      const variant =
        body.length < this.size ? this.#describe(body, etag, ['Content-Encoding', coding]) : this.#identity;
      this.#compressed.set(coding, variant);
      return variant;
    } catch (error) {
      this.#compressed.delete(coding);
      throw error;
    }
  }

  #describe(body: Buffer, etag: string, codingHeaders: readonly string[]): Variant {
    const notModifiedHeaders = [...this.#shared, 'ETag', etag];
    const headers = [...notModifiedHeaders, 'Content-Type', this.#contentType, ...codingHeaders];
    return { body, etag, headers, notModifiedHeaders };
  }
}

/** A strong entity tag of a body's bytes. */
function entityTag(body: Buffer): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/**
 * Whether an If-None-Match header (RFC 9110, section 13.1.2) names a tag: `*`, or a list of tags, compared weakly.
 */
function noneMatchNames(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag || header.trim() === '*') return true;
  const tags = header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
  return tags.some((one) => one === tag || one === `W/${tag}`);
}
