import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  dataOperationIds,
  operations,
  type DataOperationId,
  type Operation,
  type OperationParameters,
} from '../../../api/operations.ts';
import type { Application } from '../../store/repositories/applications/applications.ts';
import type { Reader } from '../../store/engine/database.ts';
import { authorize, type AccessParts } from '../access/access.ts';
import { jsonAnswer, jsonType, whenReady, type Answer } from '../answers/answer.ts';
import type { Answers } from '../answers/answer-cache.ts';
import { createBoundedCache } from '../../../process/bounded-cache.ts';
import { cachingRules, type CachingRule } from '../answers/caching.ts';
import type { Cors } from '../cors.ts';
import type { DataVersion } from '../answers/data-version.ts';
import { handlers, type Handler, type HandlerContext, type OnlineList } from './handlers.ts';
import { checkParameters } from './parameters.ts';
import { Representation } from '../answers/representation.ts';
import { addRoute, type AnswerTo } from '../routes.ts';

interface DataParts {
  access: AccessParts;
  db: Reader;
  online: OnlineList;
  supportUrl: () => string | null;
  answers: Answers;
  dataVersion: DataVersion;
  now: () => number;
}

/** Answers a request for an operation that takes a token: access, parameters, then the cache or the handler. */
export type DataAnswers = Readonly<Record<DataOperationId, AnswerTo>>;

/** Request headers on which these answers depend. */
const vary = 'Authorization, User-Agent, Accept-Encoding';

export function createDataAnswers(parts: DataParts): DataAnswers {
  const entries = dataOperationIds.map((id): [DataOperationId, AnswerTo] => {
    const rule = cachingRules[id];
    const answer = rule === null ? uncached(id, parts) : cached(id, rule, parts);
    return [
      id,
      (request) =>
        whenReady(authorize(parts.access, operations[id], request), (application) =>
          answer(request, application),
        ),
    ];
  });
  return Object.fromEntries(entries) as Record<DataOperationId, AnswerTo>;
}

/** Adds a route to the app for each operation that takes a token. */
export function addDataRoutes(app: FastifyInstance, answers: DataAnswers, cors: Cors | null): void {
  for (const id of dataOperationIds) {
    const { method } = operations[id];
    addRoute(app, { method, url: routePath(operations[id]), operation: id, cors, answer: answers[id] });
  }
}

export function routePath(operation: Operation): string {
  return operation.path.replace(/\{(\w+)\}/g, ':$1');
}

type AnswerFor = (request: FastifyRequest, application: Application) => Answer | Promise<Answer>;

function uncached(id: DataOperationId, parts: DataParts): AnswerFor {
  const handle = handlers[id] as Handler<DataOperationId>;
  return async (request, application) => {
    const parameters = checkParameters(operations[id], request) as OperationParameters<DataOperationId>;
    return jsonAnswer(200, await handle(parameters, contextOf(application, parts)));
  };
}

function cached(id: DataOperationId, rule: CachingRule, parts: DataParts): AnswerFor {
  const { answers, dataVersion, db, now } = parts;
  const handle = handlers[id] as Handler<DataOperationId>;
  const headers = ['Cache-Control', rule.control];
  const checked = rememberChecked(id);

  return (request, application) => {
    const { parameters, key } = checked(request);
    const project = application.project.id;
    const found = answers.get(`${project} ${key}`, {
      version: dataVersion.ofTurn(project),
      currentVersion: () => dataVersion.now(project),
      now,
      async make() {
        const body = JSON.stringify(await handle(parameters, contextOf(application, parts)));
        return new Representation(Buffer.from(body), jsonType, headers);
      },
      validUntil: async (at) => (await rule.validUntil?.(db, project, at)) ?? Infinity,
      revision: async () => await rule.revision?.(db, project),
    });
    return whenReady(found, (ready) => ready.answer(request, vary));
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

function contextOf(application: Application, { db, online, supportUrl, now }: DataParts): HandlerContext {
  return { application, db, online, supportUrl: supportUrl(), now };
}
