import type { ErrorBody, ErrorCode } from '../../../../api/errors.ts';
import type { OperationId } from '../../../../api/operations.ts';
import recorded from './examples.json' with { type: 'json' };

interface Examples {
  answers: Record<OperationId, unknown>;
  /** Of all errors that an operation may answer, the same for all operations … */
  errors: Partial<Record<ErrorCode, ErrorBody>>;
  /** … and those of operations that say something else. */
  particular: Partial<Record<OperationId, Partial<Record<ErrorCode, ErrorBody>>>>;
}

/** Recorded answers of the real service with the demo's data, shortened; see `scripts/record-openapi-examples.ts`. */
export const examples = recorded as unknown as Examples;
