import type { FastifyInstance, FastifyRequest } from 'fastify';
import { dataOperationIds, operations } from '../../../api/operations.ts';
import { routePath } from '../data-routes.ts';
import { addMethodRoutes } from '../methods.ts';
import { Problem } from '../problem.ts';

export const tryOutPrefix = '/docs/try';

/** Of the connection between the page and this service, not of the answer. */
const ownHeaders = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length']);

/**
 * Lets the documentation page run operations: a page in a browser cannot send a User-Agent of its own, and the service
 * insists on one. `GET /docs/try/v1/…` is the request `GET /v1/…` with the caller's own token, and with the
 * `X-Application-Id` for a User-Agent.
 *
 * It opens nothing that is not open at `/v1` itself. Only operations that take a token are there, each goes the whole
 * way through access and limits, and nothing is added but the User-Agent, which is no secret. There is no cookie, so
 * another site has nothing of the visitor's to ride on; its pages cannot send the two headers without a preflight, which
 * is never granted here, and a browser that tells whence a request comes is believed.
 */
export function addTryOut(app: FastifyInstance): void {
  for (const id of dataOperationIds) {
    const url = `${tryOutPrefix}${routePath(operations[id])}`;
    app.get(url, async (request, reply) => {
      request.operation = 'try-out';
      const answer = await app.inject({
        method: 'GET',
        url: (request.raw.url ?? '').slice(tryOutPrefix.length),
        headers: forwarded(request),
        remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
      });
      for (const [name, value] of Object.entries(answer.headers)) {
        if (value !== undefined && !ownHeaders.has(name)) reply.header(name, value);
      }
      return await reply.code(answer.statusCode).send(answer.rawPayload);
    });
    addMethodRoutes(app, url, 'try-out', ['GET'], null);
  }
}

function forwarded(request: FastifyRequest): Record<string, string> {
  const { authorization, 'if-none-match': ifNoneMatch, 'x-application-id': applicationId } = request.headers;
  const forwardedFor = request.headers['x-forwarded-for'];
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') {
    throw refused(
      'Sec-Fetch-Site',
      'expected a request of the documentation page itself, from the same origin',
    );
  }
  if (typeof applicationId !== 'string' || applicationId === '') {
    throw refused('X-Application-Id', 'expected the application_id, which becomes the User-Agent');
  }
  return {
    'User-Agent': applicationId,
    'X-Request-Id': request.id,
    // Read where the connection is a trusted proxy's, as everywhere.
    ...(forwardedFor === undefined ? {} : { 'X-Forwarded-For': String(forwardedFor) }),
    ...(authorization === undefined ? {} : { Authorization: authorization }),
    ...(ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch }),
  };
}

function refused(header: string, message: string): Problem {
  return new Problem('invalid_parameters', `${header}: ${message}.`, {
    details: [{ in: 'headers', path: header, message }],
  });
}
