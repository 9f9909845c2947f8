/** A longer request no longer blocks the others. */
const slowMs = 1_000;

/** @param onSilent called when the request takes long */
export async function reportSilence<T>(onSilent: () => void, request: () => Promise<T>): Promise<T> {
  const timer = setTimeout(onSilent, slowMs);
  try {
    return await request();
  } finally {
    clearTimeout(timer);
  }
}
