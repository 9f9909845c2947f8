import { constants } from 'node:fs';
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { type FileEntry, FileError, type FileParts, type FileRange, type FileStat } from '../file-access.ts';
import { isPlainName } from '../remote/plain-name.ts';
import { LinkLost, nullIfRefused, type Session, tooLong } from '../remote/session.ts';
import { UnderWay } from '../time-limit.ts';
import type { SftpLink } from './sftp-client.ts';

/** A folder with more files is not a game server's. */
const maxEntries = 50_000;
/** Far more than the names of as many logs; a server may send names of a quarter of a megabyte. */
const maxListingBytes = 32 * 1024 * 1024;
/** Of a listed file, beside its names: their lengths, size, owner, mode and times. */
const entryBytes = 40;
/** Every server accepts requests of this size; several are sent at once. */
const chunkBytes = 32 * 1024;

export class SftpSession implements Session {
  readonly #client: SftpLink['client'];
  readonly #sock: SftpLink['sock'];
  readonly #sftp: SFTPWrapper;
  isOpen = true;
  /** The files of which `stat` has said since they were read that they are regular ones. */
  readonly #regularPaths = new Set<string>();
  /** The requests, of which the library drops some when the connection ends. */
  readonly #underWay = new UnderWay();

  constructor({ client, sock, sftp }: SftpLink) {
    this.#client = client;
    this.#sock = sock;
    this.#sftp = sftp;
    const onEnd = (): void => this.#end('the connection was cut');
    client.on('close', onEnd);
    sftp.on('close', onEnd);
    sftp.on('error', onEnd);
  }

  get receivedBytes(): number {
    return this.#sock.bytesRead;
  }

  close(): void {
    this.#end('the connection was closed');
    this.#client.end();
    this.#client.destroy();
  }

  async list(folder: string, matching: RegExp): Promise<FileEntry[]> {
    return await this.#do(async () => {
      const all = await this.#readFolder(folder);
      const found = all.filter(({ filename }) => isPlainName(filename) && matching.test(filename));
      return await Promise.all(
        found.map(async ({ filename: name, attrs }) => {
          const path = `${folder}/${name}`;
          const whole = isWhole(attrs) ? attrs : await this.#attrs(path).catch(nullIfRefused);
          return { name, stat: whole && statOf(whole) };
        }),
      );
    });
  }

  /** The protocol reads from any offset. */
  async resumeProblem(): Promise<null> {
    return null;
  }

  async stat(path: string): Promise<FileStat> {
    return await this.#do(async () => {
      const stat = await this.#regular(path);
      this.#regularPaths.add(path);
      return stat;
    });
  }

  async read(path: string, ranges: readonly FileRange[]): Promise<FileParts> {
    return await this.#do(async () => {
      // Opening anything but a regular file may hang the server.
      if (!this.#regularPaths.delete(path)) await this.#regular(path);
      const handle = await ask<Buffer>((callback) => this.#sftp.open(path, 'r', callback));
      try {
        const stat = statOf(await ask<Stats>((callback) => this.#sftp.fstat(handle, callback)));
        const parts: Buffer[] = [];
        for (const range of ranges) parts.push(await this.#readRange(handle, range, stat.size));
        return { stat, parts };
      } finally {
        if (this.isOpen) this.#sftp.close(handle, () => undefined);
      }
    });
  }

  async #do<T>(work: () => Promise<T>): Promise<T> {
    if (!this.isOpen) throw new LinkLost('the connection was cut');
    return await this.#underWay.run(work());
  }

  #end(reason: string): void {
    this.isOpen = false;
    this.#underWay.end(new LinkLost(reason));
  }

  async #readFolder(folder: string): Promise<FileEntryWithStats[]> {
    let handle: Buffer;
    try {
      handle = await ask<Buffer>((callback) => this.#sftp.opendir(folder, callback));
    } catch (error) {
      // Servers report "no such file" or "failure" for a file.
      const attrs = await this.#attrs(folder).catch(() => null);
      if (attrs === null || attrs.isDirectory()) throw error;
      throw new FileError({ code: 'ENOTDIR', message: 'is a file, a folder was expected' });
    }
    const all: FileEntryWithStats[] = [];
    let bytes = 0;
    try {
      for (;;) {
        const more = await askUntilEnd<FileEntryWithStats[]>([], (callback) =>
          this.#sftp.readdir(handle, callback),
        );
        if (more.length === 0) return all;
        all.push(...more);
        bytes += more.reduce((sum, one) => sum + one.filename.length + one.longname.length + entryBytes, 0);
        if (all.length > maxEntries) throw tooLong(`${maxEntries} files`);
        if (bytes > maxListingBytes) throw tooLong(`${maxListingBytes / 1024 ** 2} MB of names`);
      }
    } finally {
      if (this.isOpen) this.#sftp.close(handle, () => undefined);
    }
  }

  async #attrs(path: string): Promise<Stats> {
    return await ask<Stats>((callback) => this.#sftp.stat(path, callback));
  }

  async #regular(path: string): Promise<FileStat> {
    const attrs = await this.#attrs(path);
    if (attrs.isDirectory()) throw new FileError({ code: 'EISDIR', message: 'is a folder' });
    if (!attrs.isFile() && hasType(attrs)) {
      throw new FileError({ code: 'ENOTFILE', message: 'is no regular file, which was expected' });
    }
    return statOf(attrs);
  }

  /** The bytes of a range, up to the end that the file had when it was opened. */
  async #readRange(handle: Buffer, { offset, length }: FileRange, size: number): Promise<Buffer> {
    const part = Buffer.alloc(Math.min(length, Math.max(0, size - offset)));
    const chunks: Promise<void>[] = [];
    for (let start = 0; start < part.length; start += chunkBytes) {
      const chunk = part.subarray(start, start + chunkBytes);
      chunks.push(this.#fill(handle, chunk, offset + start));
    }
    await Promise.all(chunks);
    return part;
  }

  async #fill(handle: Buffer, chunk: Buffer, position: number): Promise<void> {
    for (let filled = 0; filled < chunk.length;) {
      const bytes = await askUntilEnd(0, (callback) =>
        this.#sftp.read(handle, chunk, filled, chunk.length - filled, position + filled, callback),
      );
      if (bytes === 0) {
        const { size } = await ask<Stats>((callback) => this.#sftp.fstat(handle, callback));
        if (size >= position + chunk.length) throw new LinkLost('the server sent less than the file holds');
        throw new FileError({ code: 'ECHANGED', message: 'was cut while it was read' });
      }
      filled += bytes;
    }
  }
}

/** Whether a listing has the state of the file itself. Servers need not send any of it. */
function isWhole(attrs: Partial<Pick<Stats, 'mode' | 'size'>> & Pick<Stats, 'isSymbolicLink'>): boolean {
  return attrs.mode !== undefined && attrs.size !== undefined && !attrs.isSymbolicLink();
}

/** Some servers send the rights of a file without its type, or neither. */
function hasType({ mode }: Partial<Pick<Stats, 'mode'>>): boolean {
  return ((mode ?? 0) & constants.S_IFMT) !== 0;
}

function statOf({ size, mtime }: Stats): FileStat {
  const changedAt = Number.isSafeInteger(mtime) && mtime > 0 ? mtime * 1000 : null;
  return { size: Number.isSafeInteger(size) ? size : 0, changedAt, identity: null };
}

/** Status codes of the protocol. Source: draft-ietf-secsh-filexfer-02, 7 */
const statusCodes: Record<number, string> = { 2: 'ENOENT', 3: 'EACCES' };
const endOfFile = 1;
/** Status codes of the library for a lost connection. */
const linkCodes = new Set([6, 7]);

type Callback<T> = (error: Error | null | undefined, result: T) => void;

/** A request to the server as a promise. @throws FileError with the server's message, or `LinkLost` */
async function ask<T>(request: (callback: Callback<T>) => void): Promise<T> {
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
async function askUntilEnd<T>(atEnd: T, request: (callback: Callback<T>) => void): Promise<T> {
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
