import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  dataOperationIds,
  operations,
  type DataOperationId,
  type Operation,
  type OperationParameters,
} from '../../../api/operations.ts';
import type { Application } from '../../store/repositories/applications/applications.ts';
import { authorize, type AccessParts } from '../access/access.ts';
import { jsonAnswer, jsonType, type Answer } from '../answers/answer.ts';
import type { Answers } from '../answers/answer-cache.ts';
import { createBoundedCache } from '../../../process/bounded-cache.ts';
import { handlers, type Handler, type HandlerContext } from './handlers.ts';
import { checkParameters } from './parameters.ts';
import { Representation } from '../answers/representation.ts';
import { addRoute, type AnswerTo } from '../routes.ts';

interface DataParts extends Omit<HandlerContext, 'application'> {
  access: AccessParts;
  answers: Answers;
}

/** Answers a request for an operation that takes a token: access, parameters, then the cache or the handler. */
export type DataAnswers = Readonly<Record<DataOperationId, AnswerTo>>;

/** Request headers on which these answers depend. */
const vary = 'Authorization, User-Agent, Accept-Encoding';

export function createDataAnswers(parts: DataParts): DataAnswers {
  const entries = dataOperationIds.map((id): [DataOperationId, AnswerTo] => {
    const operation: Operation = operations[id];
    const control = cacheControlOf(operation);
    const answer = control === null ? uncached(id, parts) : cached(id, control, parts);
    return [id, async (request) => await answer(request, await authorize(parts.access, operation, request))];
  });
  return Object.fromEntries(entries) as Record<DataOperationId, AnswerTo>;
}

/** Adds a route to the app for each operation that takes a token. */
export function addDataRoutes(app: FastifyInstance, answers: DataAnswers): void {
  for (const id of dataOperationIds) {
    const { method } = operations[id];
    const url = routePath(operations[id]);
    addRoute(app, { method, url, operation: id, readers: 'preflight', answer: answers[id] });
  }
}

export function routePath(operation: Operation): string {
  return operation.path.replace(/\{(\w+)\}/g, ':$1');
}

/** The Cache-Control of a success; null: nobody keeps it. Answers are `private`, since they depend on the token's project. */
export function cacheControlOf({ caching: { maxAgeSeconds } }: Operation): string | null {
  if (maxAgeSeconds === null) return null;
  return maxAgeSeconds === 0 ? 'private, no-cache' : `private, max-age=${maxAgeSeconds}`;
}

type AnswerFor = (request: FastifyRequest, application: Application) => Promise<Answer>;

function uncached(id: DataOperationId, parts: DataParts): AnswerFor {
  const handle = handlers[id] as Handler<DataOperationId>;
  return async (request, application) => {
    const parameters = checkParameters(operations[id], request) as OperationParameters<DataOperationId>;
    return jsonAnswer(200, await handle(parameters, { ...parts, application }));
  };
}

function cached(id: DataOperationId, control: string, parts: DataParts): AnswerFor {
  const handle = handlers[id] as Handler<DataOperationId>;
  const checked = rememberChecked(id);

  return async (request, application) => {
    const { parameters, key } = checked(request);
    const found = await parts.answers.get(`${application.project.id} ${key}`, async () => {
      const body = JSON.stringify(await handle(parameters, { ...parts, application }));
      return new Representation(Buffer.from(body), jsonType, ['Cache-Control', control]);
    });
    return await found.answer(request, vary);
  };
}

interface Checked {
  parameters: OperationParameters<DataOperationId>;
  /** Equal for all spellings of the same parameters. */
  key: string;
}

const maxRememberedTargets = 2_000;
const longestRememberedTarget = 300;

/**
 * Checks the parameters of each target (path and query) once, because that takes longer than sending a cached answer.
 */
function rememberChecked(id: DataOperationId): (request: FastifyRequest) => Checked {
  const byTarget = createBoundedCache<Checked>(maxRememberedTargets);
  return (request) => {
    const target = request.raw.url as string;
    let checked = byTarget.get(target);
    if (checked === undefined) {
      const parameters = checkParameters(operations[id], request) as OperationParameters<DataOperationId>;
      checked = { parameters, key: `${id} ${JSON.stringify(parameters)}` };
      if (target.length <= longestRememberedTarget) byTarget.set(target, checked);
    }
    return checked;
  };
}
