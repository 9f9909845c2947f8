import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  dataOperationIds,
  operations,
  type DataOperationId,
  type Operation,
  type OperationParameters,
} from '../../api/operations.ts';
import type { Application } from '../store/applications.ts';
import type { ReadDatabase } from '../store/database.ts';
import { authorize, type AccessParts } from './access.ts';
import type { Answers } from './answers.ts';
import { cachingRules, type CachingRule } from './caching.ts';
import { wantedCodings } from './content-coding.ts';
import { noneMatchNames } from './entity-tag.ts';
import type { Handler, HandlerContext, OnlineList } from './handlers/handler.ts';
import { handlers } from './handlers/index.ts';
import type { HotLane } from './hot-lane.ts';
import { checkParameters } from './parameters.ts';

export interface DataRouteParts {
  access: AccessParts;
  db: ReadDatabase['db'];
  online: OnlineList;
  supportUrl: () => string | null;
  answers: Answers;
  hotLane: HotLane;
  version: () => number;
  /** Request headers on which answers depend. */
  vary: string;
  now: () => number;
}

/** Gives the app one route for each operation that takes a token. */
export function addDataRoutes(app: FastifyInstance, parts: DataRouteParts): void {
  for (const id of dataOperationIds) {
    const operation: Operation = operations[id];
    const answer = answerWith(id, operation, parts);
    app.route({
      method: operation.method,
      url: routePath(operation),
      onRequest: async (request, reply) => {
        request.operation = id;
        request.application = await authorize(parts.access, operation, request, reply);
        request.applicationId = request.application.id;
      },
      handler: answer,
    });
  }
}

export function routePath(operation: Operation): string {
  return operation.path.replace(/\{(\w+)\}/g, ':$1');
}

function answerWith(
  id: DataOperationId,
  operation: Operation,
  parts: DataRouteParts,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const { db, online, supportUrl, now } = parts;
  const handle = handlers[id] as Handler<DataOperationId>;
  const rule = cachingRules[id];
  const headers = rule === null ? [] : sharedHeaders(rule, parts.vary);

  return async (request, reply) => {
    const parameters = checkParameters(operation, request) as OperationParameters<DataOperationId>;
    const { application } = request;
    const context: HandlerContext = { application, db, online, supportUrl: supportUrl(), now };
    if (rule === null) {
      reply.header('Cache-Control', 'no-store');
      return await handle(parameters, context);
    }
    const key = `${id} ${JSON.stringify(parameters)}`;
    const representation = await parts.answers.get(`${application.project.id} ${key}`, {
      version: parts.version,
      now,
      body: async () => await handle(parameters, context),
      validUntil: async (at) => (await rule.validUntil?.(db, application.project.id, at)) ?? Infinity,
      revision: async () => await rule.revision?.(db, application.project.id),
      headers,
    });
    if (request.raw.url !== undefined) parts.hotLane.learn(request.raw.url, { id, operation, key });
    const variant = await representation.make(wantedCodings(request.headers['accept-encoding']));
    const unchanged = noneMatchNames(request.headers['if-none-match'], variant.etag);
    const own = unchanged ? variant.notModifiedHeaders : variant.headers;
    for (let index = 0; index < own.length; index += 2) reply.header(own[index] as string, own[index + 1]);
    reply.code(unchanged ? 304 : 200);
    return await reply.send(unchanged ? undefined : variant.body);
  };
}

function sharedHeaders({ control }: CachingRule, vary: string): string[] {
  return ['Cache-Control', control, 'Vary', vary, 'X-Content-Type-Options', 'nosniff'];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Which operation the path belongs to; empty for none. */
    operation: string;
    /** Empty until the request is authorized. */
    applicationId: string;
    application: Application;
  }
}
