import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LimitPolicy } from '../../../api/operations.ts';
import { noStore } from '../answers/answer.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { addressGroup, type ClientAddress } from '../connections/client-address.ts';
import { expectedAtMost, requireAdmitted, type Limiter } from '../limits/limiter.ts';
import { noSuchPath } from '../answers/problem.ts';
import { Representation } from '../answers/representation.ts';
import { addRoute } from '../routes.ts';
import type { PublicContent, PublicParts, PublicRequest } from './public-parts.ts';

/** Requests of one address. */
const perAddress = { name: 'page', quota: 240, windowSeconds: 60 } as const satisfies LimitPolicy;

const tooMany = expectedAtMost(perAddress, 'from one address');

/** Request headers on which these answers depend. */
const vary = 'Accept-Encoding, Accept-Language';

interface PublicRouteParts {
  limiter: Limiter;
  cache: AnswerCache;
  addressOf: ClientAddress;
}

export function addPublicRoutes(
  app: FastifyInstance,
  { routes }: PublicParts,
  { limiter, cache, addressOf }: PublicRouteParts,
): void {
  for (const { url, anyOrigin, find } of routes) {
    addRoute(app, {
      method: 'GET',
      url,
      operation: 'page',
      ...(anyOrigin && { readers: 'all' }),
      isThere: (params) => find({ params, query: '', headers: {} }) !== null,
      async answer(request) {
        const key = `page ${addressGroup(addressOf(request.raw))}`;
        requireAdmitted(await limiter.take(key, [perAddress]), tooMany);
        const source = find(toPublic(request));
        if (source === null) throw noSuchPath();
        const found = await cache.get(source.key, async () => representationOf(await source.make()));
        return await found.answer(request, vary);
      },
    });
  }
}

function representationOf({ status = 200, type, body, headers = [] }: PublicContent): Representation {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return new Representation(bytes, type, status === 200 ? headers : [...noStore, ...headers], status);
}

function toPublic({ params, url, raw: { headers } }: FastifyRequest): PublicRequest {
  const query = /\?(.*)/.exec(url)?.[1] ?? '';
  return { params: params as PublicRequest['params'], query, headers };
}
