import assert from 'node:assert/strict';
import { listOf, nonEmpty, object, oneOf, whole, type Check } from './shapes.ts';

/** Codes and the status of each, as design §3 has them. Written out: it is what the service is measured against. */
export const statusOf: Readonly<Record<string, number>> = {
  invalid_parameters: 400,
  token_missing: 401,
  token_invalid: 401,
  subscription_required: 402,
  invalid_credentials: 403,
  user_agent_mismatch: 403,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  data_source_not_configured: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  project_suspended: 423,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  live_source_unavailable: 503,
  service_unavailable: 503,
};

/** What a code carries besides `error`, `message` and `requestId`. */
const extras: Readonly<Record<string, Record<string, Check>>> = {
  invalid_parameters: {
    details: listOf(
      object({ in: oneOf('path', 'query', 'body', 'headers'), path: anyText, message: nonEmpty }),
    ),
  },
  subscription_required: { requiredPlan: oneOf('LITE', 'PRO') },
  insufficient_scope: { requiredScope: nonEmpty },
  rate_limited: { retryAfter: whole(1) },
  live_source_unavailable: { retryAfter: whole(1) },
  service_unavailable: { retryAfter: whole(1) },
};

function anyText(value: unknown, at: string): void {
  assert.equal(typeof value, 'string', `expected ${at} to be a text`);
}

/** The flat error body of design §3: these keys and no other. */
export function expectErrorBody(body: unknown, status: number, requestId: string): void {
  const code = (body as { error?: unknown } | null)?.error;
  assert.equal(typeof code, 'string', `expected an error code, got ${JSON.stringify(body)}`);
  assert.equal(statusOf[code as string], status, `expected ${String(code)} to come with its status`);
  object({ error: nonEmpty, message: nonEmpty, requestId: nonEmpty, ...extras[code as string] })(
    body,
    'error body',
  );
  assert.equal((body as { requestId: string }).requestId, requestId, 'expected requestId to be X-Request-Id');
  assert.doesNotMatch(
    JSON.stringify(body),
    /\bat .*\.[jt]s:\d|node_modules|SQLITE|SELECT |ZodError|Fastify/,
    'expected an error to say nothing of the inside',
  );
}
