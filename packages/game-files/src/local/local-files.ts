import { directFiles } from './direct-files.ts';
import { closedError, FileError, type FileAccess, type Files } from '../file-access.ts';

/** A share that is only slow answers within this time. */
const usualDeadlineMs = 10_000;

/**
 * The files of this machine, mounted shares included, each request with a deadline; `direct-files.ts` does the reading. A share
 * that hangs answers no request, and each request takes one of Node's threads until the share is back. So a source whose
 * request has hung is asked nothing more until that request is answered.
 */
export class LocalFiles implements Files {
  readonly #deadlineMs: number;
  readonly #files: FileAccess;
  /** The sources that hang, with the time since when, epoch milliseconds. */
  readonly #hanging = new Map<string, number>();
  /** Rejects what is under way. */
  readonly #pending = new Set<(error: Error) => void>();
  #isClosed = false;

  /** @param deadlineMs a request without an answer fails after this time */
  constructor({ deadlineMs = usualDeadlineMs, files = directFiles } = {}) {
    this.#deadlineMs = deadlineMs;
    this.#files = files;
  }

  of(source: string): FileAccess {
    const hanging = this.#hanging;
    const ask = async <T>(request: () => Promise<T>): Promise<T> => {
      if (this.#isClosed) throw closedError();
      const hangsSince = hanging.get(source);
      if (hangsSince !== undefined) throw noAnswer(hangsSince);
      const askedAt = Date.now();
      return await new Promise<T>((resolve, reject) => {
        this.#pending.add(reject);
        const timer = setTimeout(() => {
          if (!hanging.has(source)) hanging.set(source, askedAt);
          reject(noAnswer(askedAt));
        }, this.#deadlineMs);
        const onAnswer = (): void => {
          clearTimeout(timer);
          this.#pending.delete(reject);
          hanging.delete(source);
        };
        request().then(resolve, reject).finally(onAnswer);
      });
    };
    const files = this.#files;
    return {
      ...files,
      list: (folder, wanted) => ask(() => files.list(folder, wanted)),
      stat: (file) => ask(() => files.stat(file)),
      read: (file, ranges) => ask(() => files.read(file, ranges)),
    };
  }

  /** Unanswered requests are rejected. Those that hang keep the process from ending by itself. */
  close(): void {
    this.#isClosed = true;
    for (const reject of this.#pending) reject(closedError());
  }
}

function noAnswer(since: number): FileError {
  const time = new Date(since).toISOString().slice(0, 19).replace('T', ' ');
  return new FileError({
    code: 'EREMOTE',
    message: `has not answered since ${time} UTC: the share or disk that holds it hangs`,
    remedy: 'check the share or disk; its files are read again when it answers',
  });
}
