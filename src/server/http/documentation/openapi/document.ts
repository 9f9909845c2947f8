import { tags } from '../../../../api/operation.ts';
import {
  operationIds,
  operations,
  tokenLimit,
  type Operation,
  type OperationId,
} from '../../../../api/operations.ts';
import { cacheControlOf } from '../../operations/data-routes.ts';
import { headerComponents } from './headers.ts';
import { introduction } from './introduction.ts';
import { exampleComponents, responsesOf } from './responses.ts';
import { objectSchema, reference, schemaComponents, type JsonObject } from './schemas.ts';

const exampleApplicationId = 'app_WdQyOPZlAq8V2cNf0ThuYxBmKj5E3rGs7LIi1okUXaM';

/** The OpenAPI 3.1 document of the service, made from the operations table. */
export function createOpenApiDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Public API v1',
      version: '1.0.0',
      summary: 'Read-only access to the data of a game-server project',
      description: introduction,
      // Linters require the field; the terms are those of whoever runs the service.
      license: { name: 'The terms of whoever runs this service', identifier: 'LicenseRef-operator-terms' },
      contact: { name: 'The owner of the service' },
    },
    servers: [{ url: '/', description: 'The service that serves this document' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ applicationId: [], bearerToken: [] }],
    paths: paths(),
    components: {
      securitySchemes: {
        applicationId: {
          type: 'apiKey',
          in: 'header',
          name: 'User-Agent',
          description:
            'The application_id, letter by letter: no product name, no version. Anything else answers 403 `user_agent_mismatch`, which says what was sent and what is expected. Browsers do not let a page set this header.',
        },
        bearerToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token from `POST /v1/auth/register`. It counts only together with a `User-Agent` equal to the application_id.',
        },
      },
      // Those that are the same for every operation.
      parameters: {
        IfNoneMatch: {
          name: 'If-None-Match',
          in: 'header',
          required: false,
          description:
            'The `ETag` of an earlier answer: the answer is 304 without a body while nothing has changed.',
          schema: { type: 'string' },
        },
      },
      headers: Object.fromEntries(
        Object.entries(headerComponents).map(([name, header]) => [name, { ...header, required: true }]),
      ),
      schemas: schemaComponents(),
      examples: exampleComponents(),
    },
  };
}

function paths(): JsonObject {
  return Object.fromEntries(
    operationIds.map((id) => [operations[id].path, { [operations[id].method.toLowerCase()]: describe(id) }]),
  );
}

function describe(id: OperationId): JsonObject {
  const operation: Operation = operations[id];
  const { tag, summary, description, scope, plan, body, limits } = operation;
  const control = cacheControlOf(operation);
  const needs =
    scope === null ? 'No token needed.' : `Needs the scope \`${scope}\` and the plan ${plan} or higher.`;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\n${needs}`,
    ...(scope === null
      ? { security: [{ applicationId: [] }] }
      : { 'x-scope': scope, 'x-minimum-plan': plan, 'x-limits': [tokenLimit, ...limits] }),
    parameters: parametersOf(id, control !== null),
    ...(body === null ? {} : { requestBody: credentialsBody() }),
    responses: responsesOf(id, control),
  };
}

function credentialsBody(): JsonObject {
  const example = {
    application_id: exampleApplicationId,
    secret: 'ops_4nHvSe9tR1bJcPzKqXw3yGuMfD7LiaQ0oTB5WmhEkVs',
  };
  const media = { schema: reference('schemas', 'Credentials'), example };
  return {
    description: 'The credentials of the application. Left out only when they are query parameters.',
    required: false,
    content: { 'application/json': media, 'application/x-www-form-urlencoded': media },
  };
}

/** Parameters of an operation; `conditional`: it takes `If-None-Match`. */
function parametersOf(id: OperationId, conditional: boolean): JsonObject[] {
  const { params, query }: Operation = operations[id];
  return [
    ...described('path', params),
    ...described('query', query),
    ...(conditional ? [reference('parameters', 'IfNoneMatch')] : []),
  ];
}

function described(where: 'path' | 'query', schema: Operation['params'] | Operation['query']): JsonObject[] {
  const { properties, required } = objectSchema(schema);
  return Object.entries(properties).map(([name, { description, examples, ...rest }]) => ({
    name,
    in: where,
    required: where === 'path' || required.has(name),
    description,
    schema: rest,
    ...(Array.isArray(examples) ? { example: examples[0] as unknown } : {}),
  }));
}
