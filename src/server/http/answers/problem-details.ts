import { STATUS_CODES } from 'node:http';
import type { ErrorBody, ProblemBody } from '../../../api/errors.ts';

/** Problem Details (RFC 9457), for callers that ask for them. */
export const problemType = 'application/problem+json';

/** Whether an Accept header (RFC 9110, section 12.5.1) names the type itself. */
export function wantsProblemDetails(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((text) => text.trim()))
    .some(
      ([type, ...parameters]) => type === problemType && !parameters.some((text) => /^q=0\.?0*$/.test(text)),
    );
}

/** The body of an error with the members that every reader of Problem Details knows. */
export function problemDetails(status: number, body: ErrorBody): ProblemBody {
  // What the code means beyond its status is in `error`; such a problem has no page of its own.
  return { type: 'about:blank', title: STATUS_CODES[status] ?? '', status, detail: body.message, ...body };
}
