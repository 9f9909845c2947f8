import { compress, compressFromBytes, type ContentCoding } from './content-coding.ts';
import { entityTag } from './entity-tag.ts';
import { headerLines } from './prepared-answer.ts';

/** Up to this size one write of head and body together is quicker than one of two pieces. */
const joinUpToBytes = 12 * 1024;

/** A body with the headers that describe it, ready to be sent. */
export interface Variant {
  body: Buffer;
  /** The same bytes, each as one character (latin1); null for a body that is too large to gain from it. */
  text: string | null;
  etag: string;
  /** Names and values in turns; without those of the body itself for a 304. */
  headers: readonly string[];
  notModifiedHeaders: readonly string[];
  /** The same as lines of a head. */
  headerLines: string;
  notModifiedLines: string;
}

/** One answer's bytes, as they are and compressed. Compressed ones are made when they are first asked for. */
export class Representation {
  readonly identity: Variant;
  readonly #shared: readonly string[];
  readonly #codings = new Map<ContentCoding, Variant>();
  readonly #making = new Map<ContentCoding, Promise<Variant>>();

  /** `shared`: headers of every answer of the operation, names and values in turns. */
  constructor(json: string, shared: readonly string[]) {
    this.#shared = shared;
    this.identity = this.#variant(Buffer.from(json), null);
  }

  /** What to send to who wants one of these codings; undefined when it first has to be made. */
  ready(wanted: readonly ContentCoding[]): Variant | undefined {
    const [coding] = wanted;
    if (coding === undefined || this.identity.body.length < compressFromBytes) return this.identity;
    return this.#codings.get(coding);
  }

  async make(wanted: readonly ContentCoding[]): Promise<Variant> {
    const ready = this.ready(wanted);
    const [coding] = wanted;
    if (ready !== undefined || coding === undefined) return ready ?? this.identity;
    let making = this.#making.get(coding);
    if (making === undefined) {
      making = this.#compress(coding).finally(() => this.#making.delete(coding));
      this.#making.set(coding, making);
    }
    return await making;
  }

  async #compress(coding: ContentCoding): Promise<Variant> {
    const body = await compress(this.identity.body, coding);
    const variant = body.length < this.identity.body.length ? this.#variant(body, coding) : this.identity;
    this.#codings.set(coding, variant);
    return variant;
  }

  #variant(body: Buffer, coding: ContentCoding | null): Variant {
    // A strong tag names bytes, so each coding has its own.
    const etag = coding === null ? entityTag(body) : `${this.identity.etag.slice(0, -1)}-${coding}"`;
    const notModifiedHeaders = [...this.#shared, 'ETag', etag];
    const headers = [
      ...notModifiedHeaders,
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(body.length),
      ...(coding === null ? [] : ['Content-Encoding', coding]),
    ];
    return {
      body,
      text: body.length > joinUpToBytes ? null : body.toString('latin1'),
      etag,
      headers,
      notModifiedHeaders,
      headerLines: headerLines(headers),
      notModifiedLines: headerLines(notModifiedHeaders),
    };
  }
}
