import { posix } from 'node:path';
import type { Clock } from '../clock.ts';
import { FileError, type FilePort } from '../file-port.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { FolderListings } from './folder-listings.ts';
import type { KnownHosts } from './known-hosts.ts';
import { otherEncoding } from './path-remedies.ts';
import { type FtpPlace, placeName, type SftpPlace } from './place.ts';
import type { RemoteFiles } from './remote-files.ts';
import type { Session } from './session.ts';

interface ConnectedFilesOptions extends ConnectionOptions {
  pollEveryMs: number;
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

  of(): FilePort {
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
  return new FileError({ code, message, remedy: otherEncoding });
}

/** By FTP each listing and each part of a file needs a data connection of its own. */
const ftpPace = { pollEveryMs: 5_000, atOnce: 1 };
const sftpPace = { pollEveryMs: 2_000, atOnce: 4 };

/** The files of a place that is reached over one connection. */
export function openConnectedPlace(
  place: SftpPlace | FtpPlace,
  { clock, knownHosts, ...options }: { clock: Clock; knownHosts: KnownHosts } & Partial<ConnectionOptions>,
): ConnectedFiles {
  return new ConnectedFiles({
    name: placeName(place),
    open: async (signal) => await logIn(place, knownHosts, signal),
    secrets: [place.password, place.type === 'sftp' ? place.passphrase : undefined],
    ...(place.type === 'sftp' ? sftpPace : ftpPace),
    clock,
    ...options,
  });
}

/** Loads a client's library when it is needed. */
async function logIn(
  place: SftpPlace | FtpPlace,
  knownHosts: KnownHosts,
  signal: AbortSignal,
): Promise<Session> {
  if (place.type === 'sftp') {
    const { openSftp } = await import('../sftp/sftp-client.ts');
    const { SftpSession } = await import('../sftp/sftp-session.ts');
    return new SftpSession(await openSftp(place, knownHosts, signal));
  }
  const { openFtp } = await import('../ftp/ftp-client.ts');
  const { FtpSession } = await import('../ftp/ftp-session.ts');
  return new FtpSession(await openFtp(place, knownHosts, signal));
}
