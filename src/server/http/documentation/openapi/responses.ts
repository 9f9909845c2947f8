import { errorCodes, type ErrorBody, type ErrorCode } from '../../../../api/errors.ts';
import {
  errorsOf,
  operationIds,
  operations,
  type Operation,
  type OperationId,
} from '../../../../api/operations.ts';
import recorded from './examples.json' with { type: 'json' };
import { cacheControl, headers, limitHeaders, type HeaderName } from './headers.ts';
import { capitalised, reference, responseSchema, type JsonObject } from './schemas.ts';

/** Recorded answers of the real service with the demo's data, shortened; see `scripts/record-openapi-examples.ts`. */
const examples = recorded as unknown as {
  answers: Record<OperationId, unknown>;
  /** Of all errors that an operation may answer, the same for all operations … */
  errors: Partial<Record<ErrorCode, ErrorBody>>;
  /** … and those of operations that say something else. */
  particular: Partial<Record<OperationId, Partial<Record<ErrorCode, ErrorBody>>>>;
};

const meanings: Readonly<Record<ErrorCode, string>> = {
  invalid_parameters:
    'a parameter is invalid or unknown, or the body cannot be read; `details` lists the problems',
  token_missing: 'no bearer token was sent',
  token_invalid: 'the token is malformed, unknown or expired, or the secret was rotated',
  subscription_required: "the project's plan does not include the operation; `requiredPlan` does",
  invalid_credentials: 'no application has this application_id and secret',
  user_agent_mismatch: 'the User-Agent is not the application_id',
  insufficient_scope: 'the application does not hold the scope; `requiredScope` names it',
  not_found: 'the project has no such resource, or it is not active',
  method_not_allowed: 'the path does not support the method; `Allow` lists those it supports',
  request_timeout: 'the request was not complete in time; it is answered before any operation is known',
  data_source_not_configured: 'the server has no query port configured',
  payload_too_large: 'the body is longer than 4 KiB',
  unsupported_media_type: 'the body is encoded',
  project_suspended: 'the project is suspended',
  rate_limited: 'a limit is reached; try again after `Retry-After` seconds',
  headers_too_large:
    'the request line and headers are too long; it is answered before any operation is known',
  internal_error: 'the service failed; its log has the cause under the `requestId`',
  live_source_unavailable: 'the game server did not answer the query',
  service_unavailable:
    'the database does not answer, on which limits and data depend; try again after `Retry-After` seconds',
};

/** These may come before the token's limits are checked, or without: 503, too, where the store does not answer. */
const withoutLimits: ReadonlySet<number> = new Set([401, 405, 413, 415, 500, 503]);

/** Every response of an operation by its status; `control`: Cache-Control of a success that has an ETag, else null. */
export function responsesOf(id: OperationId, control: string | null): JsonObject {
  const operation: Operation = operations[id];
  const common: readonly HeaderName[] = ['X-Request-Id', ...limitHeaders(operation)];
  const conditional = { 'Cache-Control': cacheControl(control ?? ''), ...headers([...common, 'ETag']) };
  const responses: Record<string, JsonObject> = {
    200: {
      description: `${operation.summary}.`,
      headers: control === null ? headers(['Cache-Control', ...common]) : conditional,
      content: { 'application/json': { schema: responseSchema(id), example: examples.answers[id] } },
    },
  };
  if (control !== null) {
    responses[304] = {
      description:
        'The answer that the caller has under this `If-None-Match` is still valid. The request counts against the limits.',
      headers: conditional,
    };
  }
  for (const [status, codes] of codesByStatus(id)) responses[status] = errorResponse(id, status, codes);
  return responses;
}

function codesByStatus(id: OperationId): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...errorsOf(id), 'method_not_allowed'] as const)) {
    const status = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].toSorted(([a], [b]) => a - b));
}

const codesOf = (id: OperationId): ErrorCode[] => [...codesByStatus(id).values()].flat();

function errorResponse(id: OperationId, status: number, codes: readonly ErrorCode[]): JsonObject {
  const names: HeaderName[] = ['X-Request-Id', 'Cache-Control'];
  if (!withoutLimits.has(status)) names.push(...limitHeaders(operations[id]));
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 405) names.push('Allow');
  if (status === 429 || status === 503) names.push('Retry-After');
  const shown = codes.map((code) => {
    const particular = examples.particular[id]?.[code];
    return [code, particular === undefined ? reference('examples', code) : { value: particular }];
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${meanings[code]}.`).join('\n\n'),
    headers: headers(names),
    content: {
      'application/json': {
        schema: {
          allOf: [
            reference('schemas', 'Error'),
            { type: 'object', properties: { error: { type: 'string', enum: codes } } },
          ],
        },
        examples: Object.fromEntries(shown) as JsonObject,
      },
    },
  };
}

/** `components.examples`: the errors that are the same for every operation. */
export function exampleComponents(): JsonObject {
  const shared = new Set(
    operationIds.flatMap((id) => codesOf(id).filter((code) => examples.particular[id]?.[code] === undefined)),
  );
  return Object.fromEntries(
    Array.from(shared, (code) => [
      code,
      { summary: capitalised(meanings[code]), value: examples.errors[code] },
    ]),
  );
}
