import { z } from 'zod';
import { plans, scopes } from './access.ts';

/** Every error code of the service, and its HTTP status. */
export const errorCodes = {
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
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorCodes;

/** Where several codes have one status, the last of them, which says the least. */
const codeOfStatus = new Map(
  Object.entries(errorCodes).map(([code, status]): [number, ErrorCode] => [status, code as ErrorCode]),
);

/**
 * The code itself if this release has it; otherwise the one of the same status, or of the status that stands for its class
 * (RFC 9110, section 15).
 */
export function knownCode(code: string, status: number): ErrorCode {
  if (Object.hasOwn(errorCodes, code)) return code as ErrorCode;
  return codeOfStatus.get(status) ?? (status < 500 ? 'invalid_parameters' : 'internal_error');
}

/** One wrong input: where it was (`in`), its name (`path`) and what was expected (`message`). */
export const errorDetail = z
  .strictObject({
    in: z.enum(['path', 'query', 'body', 'headers']).describe('Where the input was.'),
    path: z.string().describe('Name of the input; empty: all of it.'),
    message: z.string().describe('What was expected.'),
  })
  .describe('One wrong input.');

export type ErrorDetail = z.infer<typeof errorDetail>;

/** Body of every answer that is not a success. */
export const errorBody = z
  .strictObject({
    error: z
      .enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]])
      .describe('Stable code for programs.'),
    message: z.string().describe('Message for people: what was expected, and where. Its words may change.'),
    requestId: z.string().describe('The `X-Request-Id` under which the service logged the request.'),
    details: z
      .array(errorDetail)
      .optional()
      .describe('With `invalid_parameters`: the wrong inputs, at most ten of them.'),
    requiredPlan: z
      .enum(plans)
      .optional()
      .describe('With `subscription_required`: the lowest plan that includes the operation.'),
    requiredScope: z
      .enum(scopes)
      .optional()
      .describe('With `insufficient_scope`: the scope that the application lacks.'),
    retryAfter: z
      .int()
      .min(0)
      .optional()
      .describe('With `rate_limited` and both `…_unavailable`: seconds after which to try again.'),
  })
  .describe('Every answer that is not a success.');

export type ErrorBody = z.infer<typeof errorBody>;

/** The body of an error as a client reads it: a later release may add codes, plans, scopes, places and fields. */
export const readErrorBody = z.looseObject({
  ...errorBody.shape,
  error: z.string(),
  details: z
    .array(z.looseObject({ ...errorDetail.shape, in: z.string() }))
    .optional()
    .catch(undefined),
  requiredPlan: z.string().optional().catch(undefined),
  requiredScope: z.string().optional().catch(undefined),
  retryAfter: errorBody.shape.retryAfter.catch(undefined),
});

export type ReadErrorBody = z.infer<typeof readErrorBody>;

/** Fields of an error besides its code and message. */
export type ErrorExtras = Pick<ErrorBody, 'details' | 'requiredPlan' | 'requiredScope' | 'retryAfter'>;
