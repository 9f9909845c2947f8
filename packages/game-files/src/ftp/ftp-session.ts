import type { Socket } from 'node:net';
import { posix } from 'node:path';
import { type FileInfo, FTPError } from 'basic-ftp';
import { type FileEntry, FileError, type FileParts, type FileRange, type FileStat } from '../file-access.ts';
import { isPlainName } from '../remote/plain-name.ts';
import { readRanges } from '../remote/read-ranges.ts';
import { cannotResume, LinkLost, nullIfRefused, type Session, tooLong } from '../remote/session.ts';
import { lossOf, type FtpLink, maxListingBytes, onDrive } from './ftp-client.ts';
import { retrieve } from './retrieve.ts';

/** One FTP connection, which handles one request at a time. */
export class FtpSession implements Session {
  /** The data connection that is counted, and what came over earlier ones. */
  #counted: Socket | undefined;
  #bytesBefore = 0;
  readonly #link: FtpLink;

  constructor(link: FtpLink) {
    this.#link = link;
  }

  get isOpen(): boolean {
    return !this.#link.client.closed;
  }

  get receivedBytes(): number {
    const { dataSocket } = this.#link.client.ftp;
    if (dataSocket !== this.#counted) {
      this.#bytesBefore += this.#counted?.bytesRead ?? 0;
      this.#counted = dataSocket;
    }
    return this.#bytesBefore + (this.#counted?.bytesRead ?? 0);
  }

  close(): void {
    this.#link.client.close();
  }

  async list(folder: string, matching: RegExp): Promise<FileEntry[]> {
    return await this.#do(async () => {
      const path = this.#absolute(folder);
      await this.#enter(path);
      const entries: FileEntry[] = [];
      for (const info of await this.#listed()) {
        if (!isPlainName(info.name) || !matching.test(info.name)) continue;
        const stat = info.isSymbolicLink
          ? await this.#stat(posix.join(path, info.name)).catch(nullIfRefused)
          : statOf(info);
        entries.push({ name: info.name, stat });
      }
      return entries;
    });
  }

  async stat(path: string): Promise<FileStat> {
    return await this.#do(async () => await this.#stat(this.#absolute(path)));
  }

  async read(path: string, ranges: readonly FileRange[]): Promise<FileParts> {
    return await this.#do(async () => {
      const at = this.#absolute(path);
      const stat = await this.#stat(at);
      const parts = await readRanges(ranges, stat.size, (range) => this.#retrieve(at, range));
      return { stat, parts };
    });
  }

  /** Asks what following needs; any answer but a refusal of the command is one of a host that has it. */
  async resumeProblem(): Promise<FileError | null> {
    return await this.#do(async () => {
      const { client } = this.#link;
      for (const command of ['REST 1', 'REST 0', 'SIZE .']) {
        const { code, message } = await client.sendIgnoringError(command);
        const isRefused = command.startsWith('REST') ? code !== 350 : notImplemented.has(code);
        if (isRefused) return cannotResume(message);
      }
      return null;
    });
  }

  async #retrieve(path: string, range: FileRange): Promise<Buffer> {
    const bytes = await retrieve(this.#link.client, path, range);
    if (bytes.length === range.length) return bytes;
    const { size } = await this.#stat(path);
    if (size >= range.offset + range.length) throw new LinkLost('the server sent less than the file holds');
    throw new FileError({ code: 'ECHANGED', message: 'was cut while it was read' });
  }

  async #stat(path: string): Promise<FileStat> {
    const { client, features } = this.#link;
    const size = await this.#sizeOf(path);
    if (!Number.isSafeInteger(size) || size < 0) throw new FileError({ message: 'has no valid size' });
    const changedAt = features.has('MDTM') ? await client.lastMod(path).catch(unlessLost) : null;
    return { size, changedAt: changedAt === null ? null : validTime(changedAt), identity: null };
  }

  async #sizeOf(path: string): Promise<number> {
    try {
      return await this.#link.client.size(path);
    } catch (error) {
      if (!(error instanceof FTPError)) throw error;
      throw notImplemented.has(error.code) ? cannotResume(error.message) : await this.#whatIsAt(path, error);
    }
  }

  /** Lists the working folder, because servers may interpret a path in the command as options or a pattern. */
  async #listed(): Promise<FileInfo[]> {
    try {
      return await this.#link.client.list();
    } catch (error) {
      if (!/Maximum bytes exceeded/.test((error as Error).message)) throw error;
      // The rest would still come.
      this.close();
      throw tooLong(`${maxListingBytes / 1024 ** 2} MB of names`);
    }
  }

  /** Servers give the same answer for everything without a size. */
  async #whatIsAt(path: string, error: FTPError): Promise<FileError> {
    try {
      await this.#link.client.cd(path);
    } catch (cause) {
      if (cause instanceof FTPError) return refused(error);
      throw cause;
    }
    return new FileError({ code: 'EISDIR', message: 'is a folder' });
  }

  async #enter(folder: string): Promise<void> {
    try {
      await this.#link.client.cd(folder);
    } catch (error) {
      if (!(error instanceof FTPError)) throw error;
      if ((await this.#stat(folder).catch(nullIfRefused)) !== null)
        throw new FileError({ code: 'ENOTDIR', message: 'is a file, a folder was expected' });
      throw refused(error);
    }
  }

  /** As this server writes paths. Resolved below a root, because one with a drive would be taken for one on this machine. */
  #absolute(path: string): string {
    const { home } = this.#link;
    const isOnDrive = onDrive.test(path);
    const at = posix.resolve('/', isOnDrive ? '' : home, isOnDrive ? path.replaceAll('\\', '/') : path);
    return posix.isAbsolute(home) ? at : at.replace(/^\/([a-z]:)\/?/i, '$1/');
  }

  async #do<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof FileError || error instanceof LinkLost) throw error;
      if (!(error instanceof FTPError) || lostCodes.has(error.code))
        throw new LinkLost(lossOf(error, this.#link.place));
      throw refused(error);
    }
  }
}

/** Source: RFC 959, 4.2: the server does not know the command. */
const notImplemented = new Set([500, 502]);
/** Source: RFC 959, 4.2: the service closes, or a data connection or the server itself failed. */
const lostCodes = new Set([421, 425, 426, 451]);

/** Servers refuse with one code whatever the reason. Windows lets one program alone have a file open. */
const reasons = [
  [/permission|denied|not allowed/i, 'EACCES'],
  [/used by another|file is in use|sharing violation/i, 'EBUSY'],
] as const;

function refused({ code, message }: FTPError): FileError {
  const kind = code === 550 ? (reasons.find(([words]) => words.test(message))?.[1] ?? 'ENOENT') : 'EIO';
  return new FileError({ code: kind, message: `the server says: ${message}` });
}

function statOf({ size, modifiedAt }: FileInfo): FileStat {
  return { size, changedAt: modifiedAt === undefined ? null : validTime(modifiedAt), identity: null };
}

const validTime = (time: Date): number | null => (Number.isNaN(time.getTime()) ? null : time.getTime());

function unlessLost(error: unknown): null {
  if (error instanceof FTPError) return null;
  throw error;
}
