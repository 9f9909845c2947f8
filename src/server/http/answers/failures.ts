import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { jsonAnswer } from './answer.ts';
import { send } from '../routes.ts';
import { StoreUnavailable } from '../../store/engine/error.ts';
import { noSuchPath, Problem, unreadable } from './problem.ts';

/** Seconds. A database that restarts is back within a few. */
const retryAfterAbsence = 2;

/** Larger bodies are refused; credentials need less. */
export const bodyLimitBytes = 4 * 1024;

/** Answers with an error. The cause of an `internal_error` is only logged, under the request's id. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): void {
  const { allowance } = request;
  // A retry before the limit admits one would be refused.
  const problem = toProblem(error).retriedAfter(allowance?.remaining === 0 ? allowance.resetSeconds : 0);
  if (problem.code === 'internal_error') log.error({ err: error, requestId: request.id }, 'request failed');
  send(request, reply, jsonAnswer(problem.status, problem.toBody(request.id), problem.headers));
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
