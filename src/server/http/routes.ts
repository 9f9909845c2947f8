import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { send, whenReady, type Answer } from './answer.ts';
import type { Cors } from './cors.ts';
import { Problem } from './problem.ts';

/** Answers a request, or throws a `Problem`. */
export type AnswerTo = (request: FastifyRequest) => Answer | Promise<Answer>;

/** A path of the service with the one method that it has; GET brings HEAD with it. */
export interface Route {
  method: 'GET' | 'POST';
  /** As Fastify writes it: `:name` stands for a parameter. */
  url: string;
  /** What the access log and the metrics call it. */
  operation: string;
  /** Which pages may send a preflight; left out: none. */
  cors?: Cors | null;
  /** Checks a request before its body is read, and throws a `Problem`. */
  check?: (request: FastifyRequest) => void;
  answer: AnswerTo;
}

/** Every method that Node reads. CONNECT names no path, so it reaches no route. */
const knownMethods = METHODS.filter((method) => method !== 'CONNECT');

/** Lets the app route every method, not only the usual ones. Call it before any route is added. */
export function addMethods(app: FastifyInstance): void {
  for (const method of knownMethods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
}

/**
 * Adds a path. OPTIONS says which methods it has (and answers a browser's preflight, where the owner allows its origin);
 * any other method gets a 405.
 */
export function addRoute(app: FastifyInstance, route: Route): void {
  const { url, answer, cors = null } = route;
  const own = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
  const has = [...own, 'OPTIONS'];
  const allow = has.join(', ');

  app.route({
    method: own,
    url,
    onRequest: begin(route),
    handler: (request, reply) => whenReady(answer(request), (ready) => send(request, reply, ready)),
  });
  app.route({
    method: 'OPTIONS',
    url,
    onRequest: begin({ operation: route.operation }),
    handler: (request, reply) => {
      const preflight = cors?.preflight(request.headers, has) ?? [];
      send(request, reply, { status: 204, headers: ['Allow', allow, ...preflight], body: null });
    },
  });
  app.route({
    method: knownMethods.filter((method) => !has.includes(method)),
    url,
    onRequest: begin({
      operation: route.operation,
      check: ({ method }) => {
        const message = `Expected one of the methods ${allow}, got ${method}.`;
        throw new Problem('method_not_allowed', message, {}, ['Allow', allow]);
      },
    }),
    handler: () => undefined,
  });
}

function begin({ operation, check }: Pick<Route, 'operation' | 'check'>): onRequestHookHandler {
  return (request, _reply, done) => {
    request.operation = operation;
    check?.(request);
    done();
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Which operation the path belongs to; empty for none. */
    operation: string;
  }
}
