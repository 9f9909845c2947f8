import { posix } from 'node:path';
import { type FileInfo, FTPError } from 'basic-ftp';
import {
  type FileEntry,
  FileError,
  type FileParts,
  type FileRange,
  type FileStat,
  type ListedFiles,
} from '../../file-port.ts';
import { mergeRanges } from '../merge-ranges.ts';
import { isPlainName } from '../plain-name.ts';
import { LinkLost, type Session } from '../session.ts';
import type { FtpLink } from './ftp-client.ts';
import { retrieve } from './retrieve.ts';

/** The files behind one FTP connection, which handles one request at a time. */
export class FtpSession implements Session {
  /** FTP has no command that replaces an existing file atomically. */
  readonly replacesAtomically = false;
  #readsFrom = true;
  readonly #link: FtpLink;

  constructor(link: FtpLink) {
    this.#link = link;
  }

  get readsFrom(): boolean {
    return this.#readsFrom;
  }

  get isOpen(): boolean {
    return !this.#link.client.closed;
  }

  close(): void {
    this.#link.client.close();
  }

  async list(folder: string, { matching, stat }: ListedFiles): Promise<FileEntry[]> {
    return await this.#do(async () => {
      const path = this.#absolute(folder);
      await this.#enter(path);
      // Lists the working folder, because servers may interpret a path in the command as options or a pattern.
      const found = (await this.#link.client.list()).filter(
        ({ name }) => isPlainName(name) && matching.test(name),
      );
      const entries: FileEntry[] = [];
      for (const info of found) {
        const isWanted = stat === 'all' || stat.includes(info.name);
        const at = posix.join(path, info.name);
        const linked = info.isSymbolicLink && isWanted ? await this.#statOrNull(at) : null;
        entries.push({ name: info.name, stat: info.isSymbolicLink ? linked : statOf(info) });
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
      const held = ranges.map(({ offset, length }) => ({
        offset,
        length: Math.min(length, Math.max(0, stat.size - offset)),
      }));
      const merged: (FileRange & { bytes: Buffer })[] = [];
      // From the end, so that the file's start, which identifies it, is as recent as the rest.
      for (const range of mergeRanges(held).toReversed()) {
        merged.push({ ...range, bytes: await this.#retrieve(at, range) });
      }
      const parts = held.map(({ offset, length }) => {
        const part = merged.find((one) => offset >= one.offset && offset + length <= one.offset + one.length);
        return part?.bytes.subarray(offset - part.offset, offset - part.offset + length) ?? Buffer.alloc(0);
      });
      return { stat, parts };
    });
  }

  async replace(): Promise<void> {
    throw notAtomic();
  }

  async checkWritable(): Promise<void> {
    throw notAtomic();
  }

  async #retrieve(path: string, { offset, length }: FileRange): Promise<Buffer> {
    const bytes = await this.#retrieveFrom(path, offset, length);
    if (bytes.length === length) return bytes;
    const size = await this.#link.client.size(path);
    if (size >= offset + length) throw new LinkLost('the server sent less than the file holds');
    throw new FileError({ code: 'ECHANGED', message: 'was cut while it was read' });
  }

  async #retrieveFrom(path: string, offset: number, length: number): Promise<Buffer> {
    if (this.#readsFrom) {
      try {
        return await retrieve(this.#link.client, path, offset, length);
      } catch (error) {
        if (!(error instanceof FTPError) || offset === 0 || !notUnderstood.has(error.code)) throw error;
        this.#readsFrom = false;
      }
    }
    const bytes = await retrieve(this.#link.client, path, 0, offset + length);
    return bytes.subarray(offset);
  }

  async #stat(path: string): Promise<FileStat> {
    const { client, features } = this.#link;
    let size: number;
    try {
      size = await client.size(path);
    } catch (error) {
      if (!(error instanceof FTPError)) throw error;
      throw await this.#whatIsAt(path, error);
    }
    if (!Number.isSafeInteger(size) || size < 0) throw new FileError({ message: 'has no valid size' });
    const changedAt = features.has('MDTM') ? await client.lastMod(path).catch(unlessLost) : null;
    return { size, changedAt: changedAt === null ? null : validTime(changedAt), identity: null };
  }

  async #statOrNull(path: string): Promise<FileStat | null> {
    return await this.#stat(path).catch((error: unknown) => {
      if (error instanceof FileError) return null;
      throw error;
    });
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
      const isFile = await this.#link.client.size(folder).then(
        () => true,
        () => false,
      );
      if (isFile) throw new FileError({ code: 'ENOTDIR', message: 'is a file, a folder was expected' });
      throw refused(error);
    }
  }

  #absolute(path: string): string {
    return posix.resolve(this.#link.home, path);
  }

  async #do<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof FileError || error instanceof LinkLost) throw error;
      if (!(error instanceof FTPError) || lostCodes.has(error.code))
        throw new LinkLost((error as Error).message);
      throw refused(error);
    }
  }
}

/** Source: RFC 959, 4.2: not implemented, or not for that parameter. */
const notUnderstood = new Set([500, 501, 502, 504]);
/** The same: the service closes, or a data connection failed. */
const lostCodes = new Set([421, 425, 426, 451]);

function refused({ code, message }: FTPError): FileError {
  const isDenied = /permission|denied|not allowed/i.test(message);
  const kind = code === 550 ? (isDenied ? 'EACCES' : 'ENOENT') : 'EIO';
  return new FileError({ code: kind, syscall: 'ftp', message: `the server says: ${message}` });
}

function statOf({ size, modifiedAt }: FileInfo): FileStat {
  return { size, changedAt: modifiedAt === undefined ? null : validTime(modifiedAt), identity: null };
}

const validTime = (time: Date): number | null => (Number.isNaN(time.getTime()) ? null : time.getTime());

function unlessLost(error: unknown): null {
  if (error instanceof FTPError) return null;
  throw error;
}

function notAtomic(): FileError {
  return new FileError({
    code: 'EROFS',
    message: 'FTP has no way to replace a file at one stroke',
  });
}
