import type { FastifyInstance, FastifyRequest } from 'fastify';
import { dataOperationIds, operations } from '../../../api/operations.ts';
import { routePath, type DataAnswers } from '../operations/data-routes.ts';
import { invalidHeader } from '../answers/problem.ts';
import { addRoute } from '../routes.ts';

const tryOutPrefix = '/docs/try';

/**
 * Lets the documentation page run operations. A page in a browser cannot send a User-Agent of its own, which the
 * service requires, so `GET /docs/try/v1/…` is answered as `GET /v1/…`, with the header `X-Application-Id` in place
 * of the User-Agent.
 *
 * This exposes nothing beyond `/v1`: only operations that take a token are available, each checks access and limits
 * as always, and the User-Agent is no secret. There is no cookie that another site could use. Pages of other sites
 * cannot send the two headers without a preflight, which is never granted here, and the site that a browser reports
 * for a request is checked.
 */
export function addTryOut(app: FastifyInstance, answers: DataAnswers): void {
  for (const id of dataOperationIds) {
    addRoute(app, {
      method: 'GET',
      url: `${tryOutPrefix}${routePath(operations[id])}`,
      operation: 'try-out',
      check: takeApplicationId,
      answer: answers[id],
    });
  }
}

function takeApplicationId({ raw: { headers } }: FastifyRequest): void {
  const { 'x-application-id': applicationId, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') {
    throw invalidHeader(
      'Sec-Fetch-Site',
      'expected a request of the documentation page itself, from the same origin',
    );
  }
  if (typeof applicationId !== 'string' || applicationId === '') {
    throw invalidHeader('X-Application-Id', 'expected the application_id, which becomes the User-Agent');
  }
  headers['user-agent'] = applicationId;
}
