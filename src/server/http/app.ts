import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { operationIds, operations } from '../../api/operations.ts';
import { systemClock, type Clock } from '../../process/clock.ts';
import type { OnlineList } from './handlers/handler.ts';
import type { ReadDatabase } from '../store/database.ts';
import { createAccessLog, elapsedMs, type Observer } from './access-log.ts';
import { createApplicationSource, type AccessParts } from './access.ts';
import { createAnswers } from './answers.ts';
import { createSlowBadTokens } from './bad-tokens.ts';
import { createClientAddress, createProxyCheck } from './client-address.ts';
import { boundConnections } from './connections.ts';
import { createCors } from './cors.ts';
import { addDataRoutes, routePath } from './data-routes.ts';
import { addDocumentation } from './documentation/index.ts';
import { createDrain } from './drain.ts';
import { bodyLimitBytes, sendError } from './failures.ts';
import { readinessAnswer } from './health.ts';
import { createHotLane } from './hot-lane.ts';
import { addJoin, type JoinTarget } from './join.ts';
import { createLimiter } from './limits.ts';
import { addMethodRoutes, addMethods } from './methods.ts';
import type { Metrics } from './metrics.ts';
import { parseQuery } from './parameters.ts';
import { Problem } from './problem.ts';
import { isForm, mostStrangers, register } from './register.ts';
import { requestIdOf } from './request-id.ts';
import {
  createHttpServer,
  createOpenAnswers,
  namesOneHost,
  refuse,
  refuseUnreadable,
  serverBounds,
  type ServerBounds,
} from './server.ts';
import type { Tokens } from './tokens.ts';

export interface AppParts extends Partial<Clock> {
  /** A read-only connection: no handler can reach a writer. */
  reader: ReadDatabase;
  tokens: Tokens;
  online: OnlineList;
  /** Asked at each request: a reloaded config may change it. */
  supportUrl: () => string | null;
  /** Where players enter a server; null for all that are not to be joined by a link. Left out: none is. */
  joinTarget?: (serverId: string) => JoinTarget | null;
  log: Logger;
  /** Addresses and networks of proxies that are believed about whom they forward. */
  trustProxy?: readonly string[];
  /** Origins of pages in browsers that may read the service. */
  corsOrigins?: readonly string[];
  /** A line in the log for each request, at level info rather than debug. */
  logRequests?: boolean;
  /** Told of each request that a token or secret proves. */
  onUse?: (applicationId: string) => void;
  /** What must work besides the store for the service to be ready, by name. */
  readiness?: Readonly<Record<string, () => boolean>>;
  metrics?: Metrics;
  bounds?: Partial<ServerBounds>;
}

const sweepEveryMs = 60_000;
/** Node reads no longer head of a request. */
const longestRequestLine = 16 * 1024;

/** The service as a Fastify instance that does not listen yet. Its routes are the operations table. */
export function createApp({
  reader,
  tokens,
  online,
  supportUrl,
  joinTarget = () => null,
  log,
  trustProxy = [],
  corsOrigins = [],
  logRequests = false,
  onUse = () => undefined,
  readiness = {},
  metrics,
  bounds: ownBounds = {},
  now = systemClock.now,
  monotonic = systemClock.monotonic,
}: AppParts): FastifyInstance {
  const bounds = { ...serverBounds, ...ownBounds };
  const accessLog = createAccessLog(log, logRequests ? 'info' : 'debug');
  const observe: Observer =
    metrics === undefined
      ? accessLog
      : (entry) => {
          accessLog(entry);
          metrics.observe(entry);
        };
  const addressOf = createClientAddress(trustProxy);
  const cors = createCors(corsOrigins);
  const version = createVersion(reader, supportUrl);
  /** Counts by address what nobody's token or secret proves. */
  const strangers = createLimiter(monotonic, mostStrangers);
  const access: AccessParts = {
    applications: createApplicationSource(reader, version),
    tokens,
    limiter: createLimiter(monotonic),
    onUse,
    slowBadTokens: createSlowBadTokens(strangers, addressOf),
  };
  const answers = createAnswers();
  const hotLane = createHotLane({
    ...access,
    answers,
    version,
    observe,
    addressOf,
    knowsOrigins: cors !== null,
    keepAliveTimeoutMs: bounds.keepAliveTimeoutMs,
    now,
  });
  const openAnswers = createOpenAnswers();
  const drain = createDrain();
  let closing = false;

  /** What every answer of the long way has, and its line in the log. */
  const begin = (request: FastifyRequest, reply: FastifyReply): void => {
    const startedAt = performance.now();
    const { raw, headers, id: requestId, method } = request;
    reply.header('X-Request-Id', requestId);
    reply.header('X-Content-Type-Options', 'nosniff');
    if (cors !== null) reply.header('Vary', 'Origin').headers(cors.headersFor(headers.origin));
    // Only a registration's body is read. What else comes with a request is not waited for.
    const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
    if (hasBody && (method === 'GET' || method === 'HEAD')) reply.header('Connection', 'close');
    const address = addressOf(raw);
    reply.raw.once('close', () => {
      const { operation, applicationId } = request;
      observe({
        requestId,
        operation: operation || undefined,
        application: applicationId || undefined,
        address,
        method,
        status: reply.raw.writableFinished ? reply.raw.statusCode : 499,
        ms: elapsedMs(startedAt),
      });
    });
  };

  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    serverFactory: (long) =>
      createHttpServer(
        (request, response) => {
          openAnswers.note(response);
          if (!closing && hotLane.handle(request, response)) return;
          drain.track(response);
          long(request, response);
        },
        bounds,
        (refusal, socket) => refuse(refusal, socket, observe),
      ),
    // Fastify's own would log what was sent, with the secrets in it.
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, bounds, openAnswers, observe),
    rewriteUrl: ({ url = '/' }) => originForm(url),
    // A closing service finishes what comes in over connections that are open, and closes them.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    // Whatever fits into a request line reaches its operation, which asks for a token first and then judges it.
    routerOptions: {
      maxParamLength: longestRequestLine,
      ignoreTrailingSlash: true,
      querystringParser: parseQuery,
    },
    frameworkErrors: (error, request, reply) => {
      begin(request, reply);
      sendError(error, request, reply);
    },
  });
  // First of all: from here on every answer tells its caller to close the connection, which the hot lane does not.
  app.addHook('preClose', async () => void (closing = true));
  drain.closeWith(app);
  const isProxy = createProxyCheck(trustProxy);
  const connections = boundConnections(app.server, { ...bounds, isProxy, log, monotonic });
  addMethods(app);

  // Bodies are read as text whatever their type; registration makes sense of them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.decorateRequest('operation', '');
  app.decorateRequest('applicationId', '');
  app.addHook('onRequest', async (request, reply) => {
    begin(request, reply);
    if (!namesOneHost(request.raw)) {
      throw new Problem('invalid_parameters', 'Host: expected exactly one header "Host".', {
        details: [{ in: 'headers', path: 'Host', message: 'expected exactly one' }],
      });
    }
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler(() => {
    throw new Problem('not_found', 'There is no such path. The operations of this service are under /v1.');
  });

  app.route({
    method: operations.register.method,
    url: operations.register.path,
    onRequest: async (request) => {
      request.operation = 'register';
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity') {
        throw new Problem('unsupported_media_type', 'Expected a body without Content-Encoding.');
      }
      // The framework refuses a Content-Type that it cannot read; the body is read whatever that says.
      const { headers } = request.raw;
      const type = headers['content-type'];
      if (type !== undefined)
        headers['content-type'] = isForm(type) ? 'application/x-www-form-urlencoded' : 'text/plain';
    },
    handler: async (request, reply) => {
      reply.header('Cache-Control', 'no-store');
      return await register({ ...access, limiter: strangers }, request, addressOf(request.raw));
    },
  });
  const vary = ['Authorization', 'User-Agent', 'Accept-Encoding', ...(cors === null ? [] : ['Origin'])];
  addDataRoutes(app, {
    access,
    db: reader.db,
    online,
    supportUrl,
    answers,
    hotLane,
    version,
    vary: vary.join(', '),
    now,
  });
  for (const id of operationIds) {
    const operation = operations[id];
    addMethodRoutes(app, routePath(operation), id, [operation.method], cors);
  }

  addHealthRoutes(app, { store: () => reader.dataVersion() >= 0, service: () => !closing, ...readiness });
  addJoin(app, joinTarget);
  addDocumentation(app);

  metrics?.gauge('outpost_tokens', 'Tokens in memory.', () => tokens.size);
  metrics?.gauge('outpost_limited_tokens', 'Tokens with requests counted.', () => access.limiter.size);
  metrics?.gauge('outpost_connections', 'Open connections.', connections);
  metrics?.gauge('outpost_answers', 'Answers in memory.', () => answers.size);

  const sweep = setInterval(() => {
    access.limiter.sweep();
    strangers.sweep();
    tokens.sweep();
  }, sweepEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(sweep));
  return app;
}

/** A number that changes whenever answers may: with each commit to the store and with the one setting outside of it. */
function createVersion(reader: ReadDatabase, supportUrl: () => string | null): () => number {
  let former = supportUrl();
  let changes = 0;
  return () => {
    const current = supportUrl();
    if (current !== former) {
      former = current;
      changes += 2 ** 32;
    }
    return reader.dataVersion() + changes;
  };
}

function addHealthRoutes(app: FastifyInstance, readiness: Readonly<Record<string, () => boolean>>): void {
  app.get('/healthz', async (request, reply) => {
    request.operation = 'healthz';
    reply.header('Cache-Control', 'no-store');
    return { status: 'alive' };
  });
  app.get('/readyz', async (request, reply) => {
    request.operation = 'readyz';
    const { status, body } = readinessAnswer(readiness);
    return await reply.code(status).header('Cache-Control', 'no-store').send(body);
  });
  for (const name of ['healthz', 'readyz']) addMethodRoutes(app, `/${name}`, name, ['GET'], null);
}

/** A target may be a whole address (RFC 9112, section 3.2.2), or `*` for the server itself. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]*([^#]*)/i.exec(target)?.[1] ?? '/*';
  return path.startsWith('/') ? path : `/${path}`;
}
