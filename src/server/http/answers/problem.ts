import {
  errorCodes,
  type ErrorBody,
  type ErrorCode,
  type ErrorDetail,
  type ErrorExtras,
} from '../../../api/errors.ts';

/** An error for the caller: one of the contract's error codes, with a message that says what to do. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;
  /** Names and values in turns. */
  readonly headers: readonly string[];

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}, headers: readonly string[] = []) {
    super(message);
    this.code = code;
    this.extras = extras;
    const { retryAfter } = extras;
    this.headers = retryAfter === undefined ? headers : [...headers, 'Retry-After', String(retryAfter)];
  }

  /** This problem, where a retry is of use only after so many seconds or more. */
  retriedAfter(seconds: number): Problem {
    const { retryAfter } = this.extras;
    if (retryAfter === undefined || retryAfter >= seconds) return this;
    return new Problem(this.code, this.message, { ...this.extras, retryAfter: seconds });
  }

  get status(): number {
    return errorCodes[this.code];
  }

  toBody(requestId: string): ErrorBody {
    return { error: this.code, message: this.message, requestId, ...this.extras };
  }
}

export const noSuchPath = (): Problem =>
  new Problem('not_found', 'There is no such path. GET /openapi.json lists those of the operations.');

/** A path or body that cannot be read at all. */
export const unreadable = (where: 'path' | 'body', message: string): Problem =>
  wrong(where, where, '', message);

/** A request whose header is not one that it may have. */
export const invalidHeader = (header: string, message: string): Problem =>
  wrong(header, 'headers', header, message);

const wrong = (name: string, where: ErrorDetail['in'], path: string, message: string): Problem =>
  new Problem('invalid_parameters', `${name}: ${message}.`, { details: [{ in: where, path, message }] });
