import { errorCodes, type ErrorBody, type ErrorCode, type ErrorExtras } from '../../api/errors.ts';

/** A refusal that the caller is told about: one of the contract's error codes, with a sentence that helps. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    extras: ErrorExtras = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.extras = extras;
    this.headers = headers;
  }

  get status(): number {
    return errorCodes[this.code];
  }

  toBody(requestId: string): ErrorBody {
    return { error: this.code, message: this.message, requestId, ...this.extras };
  }
}
