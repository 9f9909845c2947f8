import { posix } from 'node:path';
import type { Clock } from '../../../../process/clock.ts';
import { FileError, type FilePort, type FileRequests } from '../file-port.ts';
import type { Connection } from './connection.ts';
import { LastAnswer } from './last-answer.ts';
import { otherEncoding } from './path-remedies.ts';
import { reportSilence } from './report-silence.ts';
import type { RemoteFiles } from './remote-files.ts';

/** The files of a place that is accessed over a connection. */
export class ConnectedFiles implements RemoteFiles {
  readonly #connection: Connection;
  readonly #pollEveryMs: number;
  readonly #answer: LastAnswer;

  constructor(connection: Connection, { clock, pollEveryMs }: { clock: Clock; pollEveryMs: number }) {
    this.#connection = connection;
    this.#pollEveryMs = pollEveryMs;
    this.#answer = new LastAnswer(clock);
  }

  get answeredAt(): number | null {
    return this.#answer.at;
  }

  of(_: string, onSilent: () => void = () => undefined): FilePort {
    const connection = this.#connection;
    const call =
      <Method extends keyof FileRequests>(method: Method, mayRepeat = true): FileRequests[Method] =>
      (...args: never) =>
        reportSilence(onSilent, () =>
          this.#answer
            .note(() =>
              connection.run(
                (requests) => (requests[method] as (...args: never) => Promise<unknown>)(...args),
                mayRepeat,
              ),
            )
            .catch((error: unknown) => {
              throw explained(error, args[0]);
            }),
        ) as never;
    return {
      get abilities() {
        const { session } = connection;
        return {
          readFrom: session?.readsFrom ?? true,
          atomicReplace: session?.replacesAtomically ?? false,
        };
      },
      pollEveryMs: this.#pollEveryMs,
      path: posix,
      list: call('list'),
      stat: call('stat'),
      read: call('read'),
      replace: call('replace', false),
      checkWritable: call('checkWritable'),
    };
  }

  async login(): Promise<void> {
    await this.#connection.run(async () => undefined, true);
  }

  async close(): Promise<void> {
    this.#connection.close();
  }
}

/** Servers say of a name whose encoding is not theirs that it does not exist. */
function explained(error: unknown, path: string): unknown {
  if (!(error instanceof FileError) || error.code !== 'ENOENT' || !/[^ -~]/.test(path)) return error;
  const { code, syscall, message } = error;
  return new FileError({ code, syscall, message, remedy: otherEncoding });
}
