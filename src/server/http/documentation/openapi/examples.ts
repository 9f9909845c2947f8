import type { ErrorBody, ErrorCode } from '../../../../api/errors.ts';
import type { OperationId } from '../../../../api/operations.ts';
import recorded from './examples.json' with { type: 'json' };

interface Recorded {
  answers: Record<OperationId, unknown>;
  errors: Partial<Record<ErrorCode, ErrorBody>>;
  particular: Partial<Record<OperationId, Partial<Record<ErrorCode, ErrorBody>>>>;
}

/** Recorded answers of the real service with the demo's data, shortened; see `scripts/record-openapi-examples.ts`. */
const { answers, errors, particular } = recorded as unknown as Recorded;

const requestId = '3f0c9a52-6d0b-4c35-9a55-0f2d1b7a8c11';

/** Not recorded, because no request can cause them. */
const unprovoked: Partial<Record<ErrorCode, ErrorBody>> = {
  internal_error: {
    error: 'internal_error',
    message: 'Something failed inside the service. Its log has the cause under this requestId.',
    requestId,
  },
  service_unavailable: {
    error: 'service_unavailable',
    message: 'The database of the service does not answer. Try again in 2 s.',
    requestId,
    retryAfter: 2,
  },
};

export function answerExample(id: OperationId): unknown {
  return answers[id];
}

/** The example of an error for all operations. */
export function errorExample(code: ErrorCode): ErrorBody {
  const example = unprovoked[code] ?? errors[code];
  if (example === undefined) throw new Error(`expected a recorded example of ${code}`);
  return example;
}

/** The example of an error of one operation, where it differs from the common one. */
export function particularErrorExample(id: OperationId, code: ErrorCode): ErrorBody | undefined {
  return particular[id]?.[code];
}
