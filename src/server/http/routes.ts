import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Answer } from './answers/answer.ts';
import { noSuchPath, Problem } from './answers/problem.ts';

/** Answers a request, or throws a `Problem`. */
export type AnswerTo = (request: FastifyRequest) => Promise<Answer>;

/** A path of the service with its one method; GET includes HEAD. */
interface Route {
  method: 'GET' | 'POST';
  /** In Fastify's syntax: `:name` stands for a parameter. */
  url: string;
  /** Its name in the access log and the metrics. */
  operation: string;
  /**
   * Which pages in browsers may read it. `all`: those of any origin. Left out: those of the config's origins, which with
   * `preflight` may also send what needs a preflight.
   */
  readers?: 'preflight' | 'all';
  /** Whether the path is there with these values of its parameters; left out: it is. */
  isThere?: (params: Readonly<Record<string, string>>) => boolean;
  /** Checks a request before its body is read, and throws a `Problem`. */
  check?: (request: FastifyRequest) => void;
  answer: AnswerTo;
}

/** A path that the service has, for requests with a method that it does not have. */
interface KnownPath extends Required<Pick<Route, 'isThere'>> {
  pattern: RegExp;
  operation: string;
  /** Its methods, as the header Allow lists them. */
  allow: string;
}

/**
 * Answers requests that no route takes: 405 where the path has other methods, 404 elsewhere. Their bodies are not read.
 * One hook does it for all paths, because the router compiles each path again for each method.
 */
export function answerWithoutRoute(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // The route for OPTIONS that @fastify/cors adds.
    if (!request.is404 && request.routeOptions.url !== '*') return done();
    const path = pathOf(request);
    const known = app.knownPaths.find(({ pattern, isThere }) => {
      const found = pattern.exec(path);
      return found !== null && isThere(found.groups ?? {});
    });
    if (known === undefined) throw noSuchPath();
    request.operation = known.operation;
    const message = `Expected one of the methods ${known.allow}, got ${request.method}.`;
    throw new Problem('method_not_allowed', message, {}, ['Allow', known.allow]);
  });
}

/** The path as the router reads it: without query, decoded except for separators, without a trailing slash. */
function pathOf({ url }: FastifyRequest): string {
  const path = decodeURI(/^[^?#]*/.exec(url)?.[0] ?? '');
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Adds a path. OPTIONS lists its methods, and answers a browser's preflight if the owner allows its origin. */
export function addRoute(app: FastifyInstance, route: Route): void {
  const { url, operation, readers, isThere = () => true, answer } = route;
  const own = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
  const has = [...own, 'OPTIONS'];
  const allow = has.join(', ');
  const pattern = new RegExp(`^${url.replace(/[.*]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]*)')}$`);
  app.knownPaths.push({ pattern, operation, allow, isThere });

  app.route({
    method: own,
    url,
    config: readers === 'all' ? { cors: false } : {},
    onRequest: begin(route),
    handler: async (request, reply) => send(request, reply, await answer(request)),
  });
  app.route({
    method: 'OPTIONS',
    url,
    config: { cors: { methods: has, preflight: readers === 'preflight' } },
    onRequest: begin({ operation }),
    handler: async (request, reply) =>
      send(request, reply, { status: 204, headers: ['Allow', allow], body: null }),
  });
}

function begin({
  operation,
  readers,
  check,
}: Pick<Route, 'operation' | 'readers' | 'check'>): onRequestHookHandler {
  return (request, reply, done) => {
    request.operation = operation;
    if (readers === 'all') void reply.header('Access-Control-Allow-Origin', '*');
    check?.(request);
    done();
  };
}

/** The headers of an answer, with those that all answers have and those for browsers; names and values in turns. */
function headOf(request: FastifyRequest, reply: FastifyReply, { headers, vary }: Answer): string[] {
  const head = ['X-Request-Id', request.id, 'X-Content-Type-Options', 'nosniff'];
  if (vary !== undefined) head.push('Vary', vary);
  // By @fastify/cors; another `Vary` adds to the one above.
  for (const [name, value] of Object.entries(reply.getHeaders())) head.push(name, String(value));
  if (request.allowance !== null) head.push(...request.allowance.headers);
  head.push(...headers);
  return head;
}

/**
 * Sends an answer. Every answer to a request goes through here.
 *
 * It writes to Node's response directly. By Fastify's `reply.send`, which collects the headers in an object, has Node check
 * and copy each and searches for a serializer, a cached answer takes 2 to 3 µs of 34 more.
 */
export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  const { status, body } = answer;
  const head = headOf(request, reply, answer);
  if (body !== null) head.push('Content-Length', String(Buffer.byteLength(body)));
  if (leavesBodyUnread(request)) head.push('Connection', 'close');
  // A header that Node rejects throws here, so the error handler can still answer.
  reply.raw.writeHead(status, head);
  reply.hijack();
  reply.raw.end(request.method === 'HEAD' ? null : body);
}

/** Whether a body was not read, which is then not waited for. */
function leavesBodyUnread({ body, raw: { headers } }: FastifyRequest): boolean {
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  return hasBody && body === undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    knownPaths: KnownPath[];
  }
  interface FastifyRequest {
    /** The operation of the path; empty if it has none. */
    operation: string;
  }
}
