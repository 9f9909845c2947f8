/** Runs work that Ctrl+C stops gracefully; a second Ctrl+C ends the process. */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ result: T; interrupted: boolean }> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    const result = await work(stop.signal);
    return { result, interrupted: stop.signal.aborted };
  } finally {
    process.off('SIGINT', interrupt);
  }
}
