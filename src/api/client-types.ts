import type { ErrorBody, ErrorCode } from './errors.ts';
import type { DataOperationId, OperationId, OperationInput, OperationResponse } from './operations.ts';

/** What an operation answered, and when. */
export interface Answer<T> {
  data: T;
  /** When the service gave this answer; epoch milliseconds. */
  receivedAt: number;
  /** True: the service could not be asked anew just now, and this is the last answer that it gave. */
  stale: boolean;
}

type Parameters<Id extends DataOperationId> =
  Record<never, never> extends OperationInput<Id>
    ? [input?: OperationInput<Id>]
    : [input: OperationInput<Id>];

/**
 * One method an operation, derived from the operations table: `client.getServer({ serverId })`.
 * Each rejects with a `ServiceError` when the service refused, and with a `ServiceUnreachableError` when it gave no
 * readable answer and nothing is kept from before.
 */
export type Client = {
  readonly [Id in DataOperationId]: (...parameters: Parameters<Id>) => Promise<Answer<OperationResponse<Id>>>;
};

/** The service answered with one of its errors. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** The error body as the service sent it, with `requiredPlan`, `requiredScope`, `retryAfter`, `details`. */
  readonly body: ErrorBody;
  /** What the service refused, where that is known: also `register`, which a client calls by itself. */
  readonly operationId: OperationId | undefined;

  constructor(status: number, body: ErrorBody, operationId?: OperationId) {
    super(body.message);
    this.operationId = operationId;
    this.code = body.error;
    this.status = status;
    this.body = body;
  }
}

/** No connection, no answer in time, or an answer that is not the service's. */
export class ServiceUnreachableError extends Error {
  override readonly name = 'ServiceUnreachableError';
}
