/** What was asked of the store cannot be, for a reason that its owner can see to; the message is meant for the owner. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** An id that the store does not know, with the ones it does. */
export function unknownId(what: string, id: string, known: readonly string[]): StoreError {
  const expected = known.length === 0 ? `the config has no ${what}` : `expected one of ${known.join(', ')}`;
  return new StoreError(`there is no ${what} ${JSON.stringify(id)} in the config: ${expected}`);
}
