/** Which state of the data there is: a number that changes whenever an answer may. */
export interface DataVersion {
  now(): number;
  /**
   * The same, read once for all requests that one turn of the event loop takes in. A commit that comes after the read
   * comes after those requests were sent, so their answers need not show it.
   */
  ofTurn(): number;
}

/** Changes with each commit to the store and with the one setting outside of it. */
export function createDataVersion(storeVersion: () => number, supportUrl: () => string | null): DataVersion {
  let knownUrl = supportUrl();
  let changes = 0;
  const now = (): number => {
    const url = supportUrl();
    if (url !== knownUrl) {
      knownUrl = url;
      changes += 2 ** 32;
    }
    return storeVersion() + changes;
  };
  let read: number | null = null;
  const forget = (): void => void (read = null);
  return {
    now,
    ofTurn() {
      if (read === null) {
        read = now();
        setImmediate(forget);
      }
      return read;
    },
  };
}
