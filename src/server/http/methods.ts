import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Cors } from './cors.ts';
import { Problem } from './problem.ts';

/** Every method that Node reads. CONNECT names no path, so it reaches no route. */
const known = METHODS.filter((method) => method !== 'CONNECT');

/** Lets the app route every method, not the usual ones alone. Before any route. */
export function addMethods(app: FastifyInstance): void {
  for (const method of known) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
}

/**
 * Lets a path say which methods it has: OPTIONS answers with them (and to a browser's preflight, where the owner allows
 * its origin), any other method with 405. `methods` are the path's own.
 */
export function addMethodRoutes(
  app: FastifyInstance,
  url: string,
  name: string,
  methods: readonly string[],
  cors: Cors | null,
): void {
  const has = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const allow = has.join(', ');
  app.route({
    method: 'OPTIONS',
    url,
    onRequest: async (request) => void (request.operation = name),
    handler: async (request, reply) => {
      const preflight = cors?.preflight(request.headers, has) ?? null;
      return await reply
        .code(204)
        .header('Allow', allow)
        .headers(preflight ?? {})
        .send();
    },
  });
  app.route({
    method: known.filter((method) => !has.includes(method)),
    url,
    onRequest: async (request) => {
      request.operation = name;
      throw new Problem(
        'method_not_allowed',
        `Expected one of the methods ${allow}, got ${request.method}.`,
        {},
        { Allow: allow },
      );
    },
    handler: () => undefined,
  });
}
