import { posix } from 'node:path';
import type { Clock } from '../clock.ts';
import { FileError, type FileAccess, type RemoteFiles } from '../file-access.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { FolderListings } from './folder-listings.ts';
import type { KnownHosts } from './known-hosts.ts';
import { encodingRemedy } from './path-remedies.ts';

interface ConnectedFilesOptions extends ConnectionOptions {
  pollEveryMs: number;
}

/** How a place over a connection is opened; the other options are for tests. */
export interface OpenOptions extends Partial<ConnectionOptions> {
  clock: Clock;
  knownHosts: KnownHosts;
}

/** A slow link has to bring this within a deadline. */
const stepBytes = 1024 * 1024;

/** The files of a place that is accessed over a connection. */
export class ConnectedFiles implements RemoteFiles {
  readonly #connection: Connection;
  readonly #listings: FolderListings;
  readonly #options: ConnectedFilesOptions;

  constructor(options: ConnectedFilesOptions) {
    this.#connection = new Connection(options);
    this.#listings = new FolderListings(this.#connection, options.clock.monotonic);
    this.#options = options;
  }

  of(): FileAccess {
    const connection = this.#connection;
    const asked = async <T>(path: string, request: () => Promise<T>): Promise<T> =>
      await request().catch((error: unknown) => {
        throw explained(error, path);
      });
    return {
      pollEveryMs: this.#options.pollEveryMs,
      stepBytes,
      path: posix,
      list: (folder, wanted) => asked(folder, () => this.#listings.list(folder, wanted)),
      stat: (file) => asked(file, () => connection.run((session) => session.stat(file))),
      read: (file, ranges) => asked(file, () => connection.run((session) => session.read(file, ranges))),
    };
  }

  async login(): Promise<void> {
    await this.#connection.run(async () => undefined);
  }

  async resumeProblem(): Promise<FileError | null> {
    return await this.#connection.run((session) => session.resumeProblem());
  }

  async close(): Promise<void> {
    this.#connection.close();
  }
}

/** Servers say of a name whose encoding is not theirs that it does not exist. */
function explained(error: unknown, path: string): unknown {
  if (!(error instanceof FileError) || error.code !== 'ENOENT' || !/[^ -~]/.test(path)) return error;
  const { code, message } = error;
  return new FileError({ code, message, remedy: encodingRemedy });
}
