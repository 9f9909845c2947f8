import { directFiles } from './direct-files.ts';
import { closedError, type FileError, type FileAccess, type Files, remoteError } from '../file-access.ts';
import { UnderWay, within } from '../time-limit.ts';

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
  readonly #underWay = new UnderWay();
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
      const answered = request().finally(() => hanging.delete(source));
      const answer = await within(this.#underWay.run(answered), this.#deadlineMs);
      if (answer !== 'late') return answer;
      if (!hanging.has(source)) hanging.set(source, askedAt);
      throw noAnswer(askedAt);
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
    this.#underWay.end(closedError());
  }
}

function noAnswer(since: number): FileError {
  const time = new Date(since).toISOString().slice(0, 19).replace('T', ' ');
  return remoteError(
    `has not answered since ${time} UTC: the share or disk that holds it hangs`,
    'check the share or disk; its files are read again when it answers',
  );
}
