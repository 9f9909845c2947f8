import type { ErrorCode } from '../../../api/errors.ts';

/** The store cannot do what was asked, for a reason that its owner can fix; the message is meant for the owner. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** The store does not answer now, so that the same may work later. Only PostgreSQL can be away. */
export class StoreUnavailable extends StoreError {
  /** What the service answers then. */
  readonly code: ErrorCode = 'service_unavailable';
}

/** Another process has taken over what this one held a lease for: nothing of the transaction was stored. */
export class LeaseLost extends StoreError {}

/** The error for an id that the store does not have; it lists those in use. After a rename the config may have others. */
export function unknownId(what: string, id: string, known: readonly { id: string }[]): StoreError {
  const expected =
    known.length === 0
      ? 'there is none yet; add it to the config first'
      : `expected one of ${known.map((one) => one.id).join(', ')}`;
  return new StoreError(`no ${what} ${JSON.stringify(id)} is in use: ${expected}`);
}
