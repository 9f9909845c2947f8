import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LimitPolicy } from '../../../api/operations.ts';
import { noStore } from '../answers/answer.ts';
import type { Answers } from '../answers/answer-cache.ts';
import { addressGroup, type ClientAddress } from '../connections/client-address.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { QueryText } from '../operations/parameters.ts';
import { noSuchPath, Problem } from '../answers/problem.ts';
import { Representation, type Answering } from '../answers/representation.ts';
import { addRoute } from '../routes.ts';
import type { PublicContent, PublicParts, PublicRequest } from './public-parts.ts';

/** Requests of one address. */
const perAddress = { name: 'page', quota: 240, windowSeconds: 60 } as const satisfies LimitPolicy;

/** Request headers on which these answers depend. */
const vary = 'Accept-Encoding, Accept-Language';

interface PublicRouteParts {
  /** Counts requests by address. */
  limiter: Limiter;
  answers: Answers;
  addressOf: ClientAddress;
}

/** Serves what everyone may see. */
export function addPublicRoutes(
  app: FastifyInstance,
  { routes }: PublicParts,
  { limiter, answers, addressOf }: PublicRouteParts,
): void {
  const admit = async ({ raw }: FastifyRequest): Promise<void> => {
    const { admitted, resetSeconds } = await limiter.take(addressGroup(addressOf(raw)), [perAddress]);
    if (admitted) return;
    throw new Problem(
      'rate_limited',
      `Expected at most ${perAddress.quota} requests in any ${perAddress.windowSeconds} seconds from one address. Try again in ${resetSeconds} s.`,
      { retryAfter: resetSeconds },
    );
  };

  for (const { url, operation, anyOrigin, find } of routes) {
    addRoute(app, {
      method: 'GET',
      url,
      operation,
      ...(anyOrigin && { readers: 'all' }),
      isThere: (params) => find({ method: 'GET', params, query: '', headers: {} }) !== null,
      async answer(request) {
        await admit(request);
        const source = find(toPublic(request));
        if (source === null) throw noSuchPath();
        const found = await answers.get(source.key, async () => answering(await source.make()));
        return await found.answer(request, vary);
      },
    });
  }
}

function answering({ status = 200, type, body, headers = [] }: PublicContent): Answering {
  if (status === 200) {
    return new Representation(typeof body === 'string' ? Buffer.from(body) : body, type, headers);
  }
  return {
    etag: null,
    size: Buffer.byteLength(body),
    answer: async (_request, vary) => ({
      status,
      headers: [...noStore, ...headers, 'Content-Type', type],
      vary,
      body,
    }),
  };
}

function toPublic({ method, params, query, raw }: FastifyRequest): PublicRequest {
  return {
    method,
    params: params as PublicRequest['params'],
    query: (query as QueryText).text ?? '',
    headers: raw.headers,
  };
}
