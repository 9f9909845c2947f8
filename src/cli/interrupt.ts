import { CommandFailure } from './output.ts';

/**
 * Runs work that Ctrl+C stops gracefully; a second Ctrl+C ends the process.
 * @param stopped what to say of work that fails because it was stopped
 */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  stopped?: string,
): Promise<T> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted && stopped !== undefined) throw new CommandFailure(stopped);
    throw error;
  } finally {
    process.off('SIGINT', interrupt);
  }
}
