import { ServiceError } from '../api/client-types.ts';
import type { ErrorCode } from '../api/errors.ts';

/** Whether the service refused a request for this reason. */
export const isRefusal = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ServiceError && error.code === code;
