/** First millisecond of 2015, from which Discord counts its ids (Discord: Reference, Snowflakes). */
const discordEpoch = 1_420_070_400_000n;

/**
 * A generator of Discord ids: 42 bits of milliseconds, 22 bits of worker and counter, as a decimal string of 17 to
 * 19 digits. Ids are strictly rising even when the clock stands still or goes back.
 */
export function snowflakes(now: () => number): () => string {
  let last = 0n;
  return () => {
    const next = (BigInt(Math.floor(now())) - discordEpoch) << 22n;
    last = next > last ? next : last + 1n;
    return last.toString();
  };
}
