/** The version of the data: a number that changes whenever an answer may. */
export interface DataVersion {
  now(): number;
  /**
   * The version, read once for all requests in one turn of the event loop. A later commit comes after those requests
   * were sent, so their answers need not show it.
   */
  ofTurn(): number;
}

/** Changes with each commit to the store and with the one setting outside it. */
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
