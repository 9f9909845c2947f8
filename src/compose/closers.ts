import type { Logger } from 'pino';

/** Functions that close the parts of a process, in the order of opening; they are called in reverse. */
export type Closers = (() => Promise<unknown>)[];

/**
 * Opens the parts of a process. `close` closes all of them, even if closing one fails: the log says which. If opening one
 * fails, those that were opened before are closed.
 */
export async function openInOrder<Opened extends object>(
  log: Logger,
  open: (closers: Closers) => Promise<Opened>,
): Promise<Opened & { close(): Promise<void> }> {
  const closers: Closers = [];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) {
      await closer().catch((error: unknown) => log.error({ err: error }, 'closing failed'));
    }
  };
  try {
    return { ...(await open(closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}
