import type { FastifyReply, FastifyRequest } from 'fastify';
import { compress, wantedCodings, type ContentCoding } from '../content-coding.ts';
import { entityTag, noneMatchNames } from '../entity-tag.ts';

interface Variant {
  body: Buffer;
  etag: string;
}

export type StaticAnswer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * A handler that answers with the same bytes each time, with an entity tag and compressed for who wants it. `read`
 * is asked once, at the first request; each compressed form is made when it is first wanted.
 */
export function staticAnswer(
  contentType: string,
  read: () => Promise<Buffer>,
  headers: Readonly<Record<string, string>> = {},
): StaticAnswer {
  const variants = new Map<ContentCoding | 'identity', Promise<Variant>>();
  const once = async (coding: ContentCoding | 'identity', make: () => Promise<Variant>): Promise<Variant> => {
    const found = variants.get(coding) ?? make();
    variants.set(coding, found);
    try {
      return await found;
    } catch (error) {
      variants.delete(coding);
      throw error;
    }
  };
  const plain = (): Promise<Variant> =>
    once('identity', async () => {
      const body = await read();
      return { body, etag: entityTag(body) };
    });
  const compressed = (coding: ContentCoding): Promise<Variant> =>
    once(coding, async () => {
      const body = await compress((await plain()).body, coding);
      return { body, etag: entityTag(body) };
    });

  return async (request, reply) => {
    const [coding] = wantedCodings(request.headers['accept-encoding']);
    const { body, etag } = coding === undefined ? await plain() : await compressed(coding);
    reply.headers({ ...headers, ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    if (noneMatchNames(request.headers['if-none-match'], etag)) return await reply.code(304).send();
    if (coding !== undefined) reply.header('Content-Encoding', coding);
    return await reply.type(contentType).send(body);
  };
}
