/** A version that stays as it was last known while the store is away, when it is NaN. */
export function knownVersion(version: () => number): () => number {
  let known = NaN;
  return () => {
    const now = version();
    if (!Number.isNaN(now)) known = now;
    return known;
  };
}
