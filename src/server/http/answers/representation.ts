import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import type { Answer } from './answer.ts';

/** A body in one coding with its headers, names and values in turns. */
interface Variant {
  body: Buffer;
  etag: string;
  headers: readonly string[];
  notModifiedHeaders: readonly string[];
}

/** One body with its headers, for all who ask for it: uncompressed and, once requested, compressed. */
export class Representation {
  readonly #contentType: string;
  readonly #shared: readonly string[];
  readonly status: number;
  readonly #identity: Variant;
  readonly #compressed = new Map<ContentCoding, Promise<Variant>>();

  /**
   * @param shared headers of each answer, including a 304; names and values in turns
   * @param status only a 200 has an entity tag, and is answered with 304 to who has it
   */
  constructor(body: Buffer, contentType: string, shared: readonly string[], status = 200) {
    this.#contentType = contentType;
    this.#shared = shared;
    this.status = status;
    this.#identity = this.#describe(body, entityTag(body), []);
  }

  /** Identifies the uncompressed body. */
  get etag(): string {
    return this.#identity.etag;
  }

  /** Size of the uncompressed body in bytes. */
  get size(): number {
    return this.#identity.body.length;
  }

  /**
   * The answer in the caller's preferred coding, or a 304 if the caller already has the body.
   * @param vary request headers on which the answer depends
   */
  async answer({ raw: { headers: asked } }: FastifyRequest, vary: string): Promise<Answer> {
    const coding = wantedCoding(asked['accept-encoding']);
    const isPlain = coding === null || this.size < compressFromBytes || isCompressed(this.#contentType);
    const { body, etag, headers, notModifiedHeaders } = isPlain ? this.#identity : await this.#in(coding);
    const { status } = this;
    return status === 200 && noneMatchNames(asked['if-none-match'], etag)
      ? { status: 304, headers: notModifiedHeaders, vary, body: null }
      : { status, headers, vary, body };
  }

  #in(coding: ContentCoding): Promise<Variant> {
    let variant = this.#compressed.get(coding);
    if (variant === undefined) {
      variant = this.#compress(coding);
      this.#compressed.set(coding, variant);
      variant.catch(() => this.#compressed.delete(coding));
    }
    return variant;
  }

  async #compress(coding: ContentCoding): Promise<Variant> {
    const body = await compress(this.#identity.body, coding);
    if (body.length >= this.size) return this.#identity;
    // A strong tag identifies bytes, so each coding has its own.
    return this.#describe(body, `${this.etag.slice(0, -1)}-${coding}"`, ['Content-Encoding', coding]);
  }

  #describe(body: Buffer, etag: string, codingHeaders: readonly string[]): Variant {
    const notModifiedHeaders = this.status === 200 ? [...this.#shared, 'ETag', etag] : this.#shared;
    const headers = [...notModifiedHeaders, 'Content-Type', this.#contentType, ...codingHeaders];
    return { body, etag, headers, notModifiedHeaders };
  }
}

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

/** The supported content codings, best first. */
const contentCodings = ['br', 'gzip'] as const;

type ContentCoding = (typeof contentCodings)[number];

/** Smaller bodies fit into one packet uncompressed. */
const compressFromBytes = 1024;

/** Pictures but for SVG. */
const isCompressed = (contentType: string): boolean => /^image\/(?!svg)/.test(contentType);

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

async function compress(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'gzip') return await deflate(body);
  // Quality 5 is as fast as gzip and a fifth smaller; the default of 11 takes forty times as long.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return await brotli(body, { params });
}

/**
 * The coding that an Accept-Encoding header (RFC 9110, section 12.5.3) prefers to an uncompressed body. Null: none, as
 * without the header.
 */
function wantedCoding(header: string | undefined): ContentCoding | null {
  if (header === undefined) return null;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const q = parameters.find((text) => /^q\s*=/.test(text))?.replace(/^q\s*=\s*/, '');
    const weight = q === undefined ? 1 : Number(q);
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight >= 0 && weight <= 1 ? weight : 0);
  }
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;
  // Uncompressed is acceptable without being listed; it is the last choice, unless it has a weight.
  const identity = weights.get('identity') ?? 0;
  return contentCodings
    .filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= identity)
    .reduce<ContentCoding | null>(
      (best, coding) => (best === null || weightOf(coding) > weightOf(best) ? coding : best),
      null,
    );
}
