import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { jsonAnswer } from './answer.ts';
import { send } from '../routes.ts';
import { StoreUnavailable } from '../../store/engine/error.ts';
import { problemDetails, problemType, wantsProblemDetails } from './problem-details.ts';
import { noSuchPath, Problem, unreadable } from './problem.ts';

/** Seconds. A database that restarts is back within a few. */
const retryAfterAbsence = 2;

/** Larger bodies are refused; credentials need less. */
export const bodyLimitBytes = 4 * 1024;

/** Answers with an error. The cause of an `internal_error` is only logged, under the request's id. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): void {
  // Otherwise the retry would only meet the limit.
  const problem = toProblem(error).retriedAfter(request.limitedForSeconds);
  if (problem.code === 'internal_error') log.error({ err: error, requestId: request.id }, 'request failed');
  const { status, headers } = problem;
  const body = problem.toBody(request.id);
  const answer = wantsProblemDetails(request.raw.headers.accept)
    ? jsonAnswer(status, problemDetails(status, body), headers, problemType)
    : jsonAnswer(status, body, headers);
  send(request, reply, answer);
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StoreUnavailable) {
    return new Problem(
      'service_unavailable',
      `The database of the service does not answer. Try again in ${retryAfterAbsence} s.`,
      { retryAfter: retryAfterAbsence },
    );
  }
  const { statusCode = 500, code } = error as { statusCode?: number; code?: string };
  if (statusCode === 413) {
    return new Problem('payload_too_large', `Expected a body of at most ${bodyLimitBytes} bytes.`);
  }
  if (statusCode === 415) return new Problem('unsupported_media_type', 'Expected a JSON body.');
  if (statusCode === 404) return noSuchPath();
  if (statusCode >= 400 && statusCode < 500) {
    return code === 'FST_ERR_BAD_URL'
      ? unreadable('path', 'expected valid percent-encoding')
      : unreadable('body', 'not readable');
  }
  return new Problem(
    'internal_error',
    'Something failed inside the service. Its log has the cause under this requestId.',
  );
}
