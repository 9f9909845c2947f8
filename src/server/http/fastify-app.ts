import type { Duplex } from 'node:stream';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Observer } from './access-log.ts';
import type { ClientAddress } from './connections/client-address.ts';
import { drainOnClose } from './connections/drain.ts';
import { bodyLimitBytes, sendError } from './answers/failures.ts';
import type { PacedConnection } from './connections/paced-connection.ts';
import { refuseUnreadable } from './connections/refusal.ts';
import { checkHead, requestIdOf } from './connections/request-head.ts';
import { answerWithoutRoute } from './routes.ts';
import { createHttpServer, type ServerBounds } from './connections/http-server.ts';

interface FastifyAppParts {
  log: Logger;
  observe: Observer;
  addressOf: ClientAddress;
  /** Origins of pages in browsers that may read the service; `*` for all. */
  corsOrigins: readonly string[];
  bounds: ServerBounds;
}

const noSchemas = (): never => {
  throw new Error('routes have no schemas: the table of operations says what they take and return');
};

/** Which pages in browsers may read the service (the Fetch standard's CORS protocol). */
const corsOptions = (origins: readonly string[]): FastifyCorsOptions => ({
  origin: [...origins],
  exposedHeaders: [
    'ETag',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'WWW-Authenticate',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
  ],
  allowedHeaders: ['Authorization', 'Content-Type', 'If-None-Match', 'User-Agent', 'X-Request-Id'],
  // Browsers repeat a preflight after ten minutes.
  maxAge: 600,
  // A route answers OPTIONS itself, and whoever is no browser asks for the methods of a path.
  preflightContinue: true,
  strictPreflight: false,
});

/** Node's limit for the head of a request. */
const longestRequestLine = 16 * 1024;

/**
 * Fastify as the service uses it, without routes: request ids, access log, CORS, the contract's error format,
 * closing.
 * @returns `isClosing`: true from the moment closing starts
 */
export function createFastifyApp({ log, observe, addressOf, corsOrigins, bounds }: FastifyAppParts) {
  const app = Fastify({
    // With a logger, Fastify would track every answer to its end; `observeAnswer` already does.
    logger: false,
    bodyLimit: bodyLimitBytes,
    // So that neither Ajv nor fast-json-stringify is loaded, which takes 50 ms and 2.5 MB at the start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    serverFactory: (handle) => createHttpServer(handle, bounds),
    // Fastify's own handler would log what was sent, including secrets.
    clientErrorHandler: (error, socket) =>
      refuseUnreadable(error, socket as Duplex as PacedConnection, bounds, observe),
    rewriteUrl: ({ url = '/' }) => originForm(url),
    // A closing service still answers requests on open connections, and closes them.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    // Whatever fits into a request line is routed to its operation, which checks the token first.
    routerOptions: {
      maxParamLength: longestRequestLine,
      ignoreTrailingSlash: true,
    },
    frameworkErrors: (error, request, reply) => {
      // Fastify creates these requests without the properties that are declared below.
      request.allowance = null;
      observeAnswer(request, reply, addressOf(request.raw), observe);
      sendError(error, request, reply, log);
    },
  });
  let closing = false;
  app.addHook('preClose', async () => void (closing = true));
  drainOnClose(app);

  // Bodies are read as text, whatever their type; registration parses them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.decorate('knownPaths', []);
  app.decorateRequest('operation', '');
  app.decorateRequest('applicationId', '');
  app.decorateRequest('allowance', null);
  app.addHook('onRequest', (request, reply, done) => {
    observeAnswer(request, reply, addressOf(request.raw), observe);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, log));
  if (corsOrigins.length > 0) void app.register(cors, corsOptions(corsOrigins));
  // After the hook of @fastify/cors, so that a page may read why its request was refused.
  void app.after(() => {
    app.addHook('onRequest', (request, _reply, done) => {
      checkHead(request.raw);
      done();
    });
    answerWithoutRoute(app);
  });
  return { app, isClosing: () => closing };
}

function observeAnswer(
  request: FastifyRequest,
  { raw }: FastifyReply,
  address: string,
  observe: Observer,
): void {
  const startedAt = performance.now();
  raw.on('close', () => {
    const { id: requestId, operation, applicationId, method } = request;
    observe({
      requestId,
      operation: operation || undefined,
      application: applicationId || undefined,
      address,
      method,
      status: raw.writableFinished ? raw.statusCode : 499,
      // To the hundredth.
      ms: Math.round((performance.now() - startedAt) * 100) / 100,
    });
  });
}

/** The path of a target, which may also be a full address (RFC 9112, section 3.2.2), or `*` for the server itself. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]*([^#]*)/i.exec(target)?.[1] ?? '/*';
  return path.startsWith('/') ? path : `/${path}`;
}
