import type { FastifyInstance } from 'fastify';
import {
  dataOperationIds,
  operations,
  type DataOperationId,
  type Operation,
  type OperationParameters,
} from '../../../api/operations.ts';
import { authorize, type AccessParts } from '../access/access.ts';
import { jsonAnswer, jsonType } from '../answers/answer.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { handlers, type Handler, type HandlerContext } from './handlers.ts';
import { checkParameters } from './parameters.ts';
import { Representation } from '../answers/representation.ts';
import { addRoute, type AnswerTo } from '../routes.ts';

/** Answers a request for an operation that takes a token: access, parameters, then the cache or the handler. */
export type DataAnswers = Readonly<Record<DataOperationId, AnswerTo>>;

/** Request headers on which these answers depend. */
const vary = 'Authorization, User-Agent, Accept-Encoding';

/** Adds a route for each operation that takes a token. @returns what answers each, also for the documentation's page */
export function addDataRoutes(
  app: FastifyInstance,
  access: AccessParts,
  cache: AnswerCache,
  context: Omit<HandlerContext, 'application'>,
): DataAnswers {
  const entries = dataOperationIds.map((id): [DataOperationId, AnswerTo] => {
    const operation: Operation = operations[id];
    const handle = handlers[id] as Handler<DataOperationId>;
    const control = cacheControlOf(operation);
    const answer: AnswerTo = async (request) => {
      const application = await authorize(access, operation, request);
      const parameters = checkParameters(operation, request) as OperationParameters<DataOperationId>;
      const read = () => handle(parameters, { ...context, application });
      if (control === null) return jsonAnswer(200, await read());
      const key = `${application.project.id} ${id} ${JSON.stringify(parameters)}`;
      const kept = await cache.get(key, async () => {
        const body = Buffer.from(JSON.stringify(await read()));
        return new Representation(body, jsonType, ['Cache-Control', control]);
      });
      return await kept.answer(request, vary);
    };
    const url = routePath(operation);
    addRoute(app, { method: operations[id].method, url, operation: id, readers: 'preflight', answer });
    return [id, answer];
  });
  return Object.fromEntries(entries) as Record<DataOperationId, AnswerTo>;
}

export function routePath(operation: Operation): string {
  return operation.path.replace(/\{(\w+)\}/g, ':$1');
}

/** The Cache-Control of a success; null: nobody keeps it. Answers are `private`, since they depend on the token's project. */
export function cacheControlOf({ caching: { maxAgeSeconds } }: Operation): string | null {
  if (maxAgeSeconds === null) return null;
  return maxAgeSeconds === 0 ? 'private, no-cache' : `private, max-age=${maxAgeSeconds}`;
}
