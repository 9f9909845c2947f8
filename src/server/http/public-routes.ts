import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LimitPolicy } from '../../api/operations.ts';
import { noStore, whenReady, type Answer } from './answer.ts';
import { addressGroup, type ClientAddress } from './client-address.ts';
import type { LocalLimiter } from './limits.ts';
import type { QueryText } from './parameters.ts';
import { noSuchPath, Problem } from './problem.ts';
import { Representation } from './representation.ts';
import { addRoute } from './routes.ts';
import type { PublicContent, PublicParts, PublicRequest } from './public-parts.ts';
import { PublicStreams, type StreamBounds } from './public-streams.ts';

/** Requests of one address. */
const perAddress = { name: 'page', quota: 240, windowSeconds: 60 } as const satisfies LimitPolicy;

/** Request headers on which these answers depend. */
const vary = 'Accept-Encoding, Accept-Language';

/** Serves what everyone may see. `limiter` counts requests by address. */
export function addPublicRoutes(
  app: FastifyInstance,
  { routes, streams }: PublicParts,
  { limiter, addressOf, bounds }: { limiter: LocalLimiter; addressOf: ClientAddress; bounds: StreamBounds },
): void {
  const representations = new WeakMap<PublicContent, Representation>();
  const admit = ({ raw }: FastifyRequest): string => {
    const group = addressGroup(addressOf(raw));
    const { admitted, resetSeconds } = limiter.take(group, [perAddress]);
    if (admitted) return group;
    throw new Problem(
      'rate_limited',
      `Expected at most ${perAddress.quota} requests in any ${perAddress.windowSeconds} seconds from one address. Try again in ${resetSeconds} s.`,
      { retryAfter: resetSeconds },
    );
  };
  const answerTo = (request: FastifyRequest, content: PublicContent | null): Answer | Promise<Answer> => {
    if (content === null) throw noSuchPath();
    const { status, type, body, headers } = content;
    if (status !== 200)
      return { status, headers: [...noStore, ...headers, 'Content-Type', type], vary, body };
    let representation = representations.get(content);
    if (representation === undefined) {
      representations.set(content, (representation = new Representation(body, type, headers)));
    }
    return representation.answer(request, vary);
  };

  for (const { url, operation, answer } of routes) {
    addRoute(app, {
      method: 'GET',
      url,
      operation,
      answer(request) {
        admit(request);
        return whenReady(answer(toPublic(request)), (content) => answerTo(request, content));
      },
    });
  }
  const open = new PublicStreams(app, bounds);
  for (const stream of streams) {
    open.add(stream, (request) => ({ group: admit(request), request: toPublic(request) }));
  }
}

function toPublic({ method, params, query, raw }: FastifyRequest): PublicRequest {
  return {
    method,
    params: params as PublicRequest['params'],
    query: (query as QueryText).text ?? '',
    headers: raw.headers,
  };
}
