import { randomUUID } from 'node:crypto';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import {
  dataOperationIds,
  operationIds,
  operations,
  type DataOperationId,
  type Operation,
} from '../../api/operations.ts';
import type { OnlineList } from '../live/online-list.ts';
import type { ReadDatabase } from '../store/database.ts';
import { authorize, createApplicationSource, type AccessParts } from './access.ts';
import { drainOnClose } from './drain.ts';
import { handlers, type Handler, type HandlerContext } from './handlers/index.ts';
import { createLimiter } from './limits.ts';
import { checkInput } from './parameters.ts';
import { Problem } from './problem.ts';
import { register } from './register.ts';
import type { Tokens } from './tokens.ts';

export interface AppParts {
  /** A read-only connection: no handler can reach a writer. */
  reader: ReadDatabase;
  tokens: Tokens;
  online: OnlineList;
  /** Asked at each request: a reloaded config may change it. */
  supportUrl: () => string | null;
  log: Logger;
  now?: () => number;
}

const bodyLimitBytes = 16 * 1024;
/** Bound on one request's arrival, headers and body. */
const requestTimeoutMs = 30_000;
const sweepEveryMs = 60_000;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The service as a Fastify instance that does not listen yet. Its routes are the operations table. */
export function createApp({
  reader,
  tokens,
  online,
  supportUrl,
  log,
  now = Date.now,
}: AppParts): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    // A closing service finishes what comes in over connections that are open, and closes them.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  });
  drainOnClose(app);
  const access: AccessParts = {
    applications: createApplicationSource(reader),
    tokens,
    limiter: createLimiter(now),
  };

  // Bodies are read as text whatever their type; registration makes sense of them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.decorateRequest('operation', '');
  app.decorateRequest('applicationId', '');
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
  });
  app.addHook('onResponse', async (request, reply) => {
    const { operation, applicationId, id, method } = request;
    const ms = Math.round(reply.elapsedTime * 100) / 100;
    const application = applicationId === '' ? undefined : applicationId;
    request.log.info(
      { requestId: id, operation: operation || undefined, application, method, status: reply.statusCode, ms },
      'request',
    );
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
      refuseEncodedBody(request);
    },
    handler: async (request, reply) => {
      reply.header('Cache-Control', 'no-store');
      return await register(access, request);
    },
  });

  for (const id of dataOperationIds) {
    const operation: Operation = operations[id];
    const handle = handlers[id] as Handler<DataOperationId>;
    app.route({
      method: operation.method,
      url: routePath(operation),
      onRequest: async (request, reply) => {
        request.operation = id;
        request.application = await authorize(access, operation, request, reply);
        request.applicationId = request.application.id;
      },
      handler: async (request) => {
        const parameters = {
          ...checkInput('path', operation.params, request.params),
          ...(checkInput('query', operation.query, request.query) as object),
        };
        const context: HandlerContext = {
          application: request.application,
          db: reader.db,
          online,
          supportUrl: supportUrl(),
          now,
        };
        return await handle(parameters, context);
      },
    });
  }
  refuseOtherMethods(app);

  const sweep = setInterval(() => {
    access.limiter.sweep();
    tokens.sweep();
  }, sweepEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(sweep));
  return app;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Which operation the path belongs to; empty for none. */
    operation: string;
    /** Empty until the request is authorized. */
    applicationId: string;
    application: HandlerContext['application'];
  }
}

function routePath(operation: Operation): string {
  return operation.path.replace(/\{(\w+)\}/g, ':$1');
}

function refuseOtherMethods(app: FastifyInstance): void {
  for (const id of operationIds) {
    const operation: Operation = operations[id];
    const allowed = operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method];
    const allow = allowed.join(', ');
    app.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url: routePath(operation),
      onRequest: async (request) => {
        request.operation = id;
        throw new Problem(
          'method_not_allowed',
          `Expected the method ${allow}, got ${request.method}.`,
          {},
          { Allow: allow },
        );
      },
      handler: () => undefined,
    });
  }
}

function refuseEncodedBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported_media_type', 'Expected a body without Content-Encoding.');
  }
}

/** The one place where a failure becomes an answer. What it was inside stays in the log, under the request's id. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblem(error);
  if (problem.code === 'internal_error')
    request.log.error({ err: error, requestId: request.id }, 'request failed');
  void reply
    .code(problem.status)
    .headers(problem.headers)
    .header('Cache-Control', 'no-store')
    .header('X-Request-Id', request.id)
    .send(problem.toBody(request.id));
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { statusCode = 500, code } = error as { statusCode?: number; code?: string };
  if (statusCode === 413) {
    return new Problem('payload_too_large', `Expected a body of at most ${bodyLimitBytes} bytes.`);
  }
  if (statusCode === 415) return new Problem('unsupported_media_type', 'Expected a JSON body.');
  if (statusCode === 404) return new Problem('not_found', 'There is no such path.');
  if (statusCode >= 400 && statusCode < 500) {
    const message =
      code === 'FST_ERR_BAD_URL' ? 'expected a path with valid percent-encoding' : 'not readable';
    return new Problem('invalid_parameters', 'The request is not readable.', {
      details: [{ in: code === 'FST_ERR_BAD_URL' ? 'path' : 'body', path: '', message }],
    });
  }
  return new Problem(
    'internal_error',
    'Something failed inside the service. Its log has the cause under this requestId.',
  );
}
