import { knownCode, type ErrorCode, type ReadErrorBody } from './errors.ts';
import type { DataOperationId, OperationId, OperationInput, OperationResponse } from './operations.ts';

/** When an answer was given. */
export interface Freshness {
  /** When the service gave this answer; epoch milliseconds. */
  receivedAt: number;
  /** True: the service could not be reached or its limit is spent, so this is an earlier answer. */
  stale: boolean;
}

/** An answer of an operation. */
export interface Answer<T> extends Freshness {
  data: T;
}

/** One object of parameters, which may be left out where none is required. */
type CallArguments<Id extends DataOperationId> =
  Record<never, never> extends OperationInput<Id>
    ? [input?: OperationInput<Id>]
    : [input: OperationInput<Id>];

/**
 * One method an operation, derived from the operations table: `client.getServer({ serverId })`.
 * Each rejects with a `ServiceError` when the service refused, and with a `ServiceUnreachableError` when it gave no
 * readable answer and no earlier one is cached.
 */
export type Client = {
  readonly [Id in DataOperationId]: (...call: CallArguments<Id>) => Promise<Answer<OperationResponse<Id>>>;
};

/** The service answered with one of its errors. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** For a code of a later release, the known one of the same status; `body.error` has it as it was sent. */
  readonly code: ErrorCode;
  readonly status: number;
  /** The error body as the service sent it, with `requiredPlan`, `requiredScope`, `retryAfter`, `details`. */
  readonly body: ReadErrorBody;
  /** The operation that the service refused, if known. It can be `register`, which a client calls by itself. */
  readonly operationId: OperationId | undefined;

  constructor(status: number, body: ReadErrorBody, operationId?: OperationId) {
    super(body.message);
    this.operationId = operationId;
    this.code = knownCode(body.error, status);
    this.status = status;
    this.body = body;
  }
}

/** No connection, no answer in time, or an answer in another form than the service's, such as the error page of a proxy. */
export class ServiceUnreachableError extends Error {
  override readonly name = 'ServiceUnreachableError';
}
