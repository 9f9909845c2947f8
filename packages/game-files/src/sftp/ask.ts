import { FileError } from '../file-access.ts';
import { LinkLost } from '../remote/session.ts';

/** Status codes of the protocol. Source: draft-ietf-secsh-filexfer-02, 7 */
const statusCodes: Record<number, string> = { 2: 'ENOENT', 3: 'EACCES' };
const endOfFile = 1;
/** Status codes of the library for a lost connection. */
const linkCodes = new Set([6, 7]);

type Callback<T> = (error: Error | null | undefined, result: T) => void;

/** A request to the server as a promise. @throws FileError with the server's message, or `LinkLost` */
export async function ask<T>(request: (callback: Callback<T>) => void): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    try {
      request((error, result) => {
        if (error === null || error === undefined) resolve(result);
        else reject(requestError(error));
      });
    } catch (error) {
      reject(new LinkLost((error as Error).message));
    }
  });
}

/** Sends a request whose end the server reports as an error; then the result is `atEnd`. */
export async function askUntilEnd<T>(atEnd: T, request: (callback: Callback<T>) => void): Promise<T> {
  return await ask<T>((callback) =>
    request((error, result) => {
      const isEnd = (error as { code?: unknown } | null | undefined)?.code === endOfFile;
      callback(isEnd ? null : error, isEnd ? atEnd : result);
    }),
  );
}

function requestError(error: Error): Error {
  const { code, message } = error as Error & { code?: unknown };
  if (typeof code !== 'number' || linkCodes.has(code)) return new LinkLost(message);
  return new FileError({
    code: statusCodes[code] ?? 'EIO',
    message: `the server says: ${message}`,
  });
}
