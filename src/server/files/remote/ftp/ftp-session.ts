import type { Socket } from 'node:net';
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
import { bytesOf, type Chunk, mergeRanges, withinFile } from '../merge-ranges.ts';
import { isPlainName } from '../plain-name.ts';
import { LinkLost, type Listing, type Session, tooLong } from '../session.ts';
import { Download } from './download.ts';
import { lossOf, type FtpLink, maxListingBytes, onDrive } from './ftp-client.ts';
import type { RereadBudget } from './reread-budget.ts';

/** One FTP connection, which handles one request at a time. */
export class FtpSession implements Session {
  /** FTP has no command that replaces an existing file atomically. */
  readsFrom = true;
  saysSizes = true;
  /** The transfer of a file that is being read from start to end. */
  #download: Download | null = null;
  /** The states that the latest request has shown, by path. */
  #latest = new Map<string, FileStat>();
  #listingBytes = 0;
  /** The data connection that is counted, and what came over earlier ones. */
  #counted: Socket | undefined;
  #bytesBefore = 0;
  readonly #link: FtpLink;
  readonly #rereads: RereadBudget;

  constructor(link: FtpLink, rereads: RereadBudget) {
    this.#link = link;
    this.#rereads = rereads;
    const { client } = link;
    const { parseList } = client;
    client.parseList = (text) => {
      this.#listingBytes = text.length;
      return parseList(text);
    };
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

  async list(folder: string, { matching, stat }: ListedFiles): Promise<Listing> {
    return await this.#do(async () => {
      const path = this.#absolute(folder);
      await this.#enter(path);
      const entries: FileEntry[] = [];
      for (const info of await this.#listed()) {
        if (!isPlainName(info.name) || !matching.test(info.name)) continue;
        const isWanted = stat === 'all' || stat.includes(info.name);
        const at = posix.join(path, info.name);
        const linked = info.isSymbolicLink && isWanted ? await this.#statOrNull(at) : null;
        const found = info.isSymbolicLink ? linked : statOf(info);
        entries.push({ name: info.name, stat: found });
        if (found !== null) this.#latest.set(at, found);
      }
      return { entries, bytes: this.#listingBytes };
    });
  }

  async folderTime(folder: string): Promise<number | null> {
    return await this.#do(async () => {
      if (!this.#link.features.has('MLST')) return null;
      await this.#end();
      const { message } = await this.#link.client.sendIgnoringError(`MLST ${this.#absolute(folder)}`);
      const [, time] = modifyFact.exec(message) ?? [];
      return time === undefined ? null : Number(time);
    });
  }

  async stat(path: string): Promise<FileStat> {
    return await this.#do(async () => {
      const at = this.#absolute(path);
      const stat = await this.#stat(at);
      this.#latest.set(at, stat);
      return stat;
    });
  }

  async read(path: string, ranges: readonly FileRange[]): Promise<FileParts> {
    return await this.#do(async (latest) => {
      const at = this.#absolute(path);
      const download = this.#download;
      if (download?.path === at && ranges.every((range) => download.holds(range))) {
        return await this.#read(at, download.stat, ranges);
      }
      const known = latest.get(at);
      try {
        return await this.#read(at, known ?? (await this.#stat(at)), ranges);
      } catch (error) {
        if (known === undefined || !(error instanceof FileError) || error.code !== 'ECHANGED') throw error;
        return await this.#read(at, await this.#stat(at), ranges);
      }
    });
  }

  async #read(at: string, stat: FileStat, ranges: readonly FileRange[]): Promise<FileParts> {
    const held = withinFile(ranges, stat.size);
    const order = this.#inOrder(mergeRanges(held));
    const chunks: Chunk[] = [];
    for (const range of order) {
      chunks.push({ offset: range.offset, bytes: await this.#retrieve(at, stat, range) });
    }
    const last = order.at(-1);
    // Whoever reads this much goes on to the end, mostly.
    const goesOn =
      last !== undefined && last.length >= sequentialBytes && last.offset + last.length < stat.size;
    if (!goesOn) await this.#end();
    return { stat, parts: held.map((range) => bytesOf(chunks, range)) };
  }

  /**
   * From the end, so that the file's start, which identifies it, is as recent as the rest. If the last range is the
   * first of many, or the server sends from the start anyway, in one go.
   */
  #inOrder(ranges: FileRange[]): FileRange[] {
    const isSequential = (ranges.at(-1)?.length ?? 0) >= sequentialBytes;
    return this.readsFrom && !isSequential ? ranges.toReversed() : ranges;
  }

  async #retrieve(path: string, stat: FileStat, range: FileRange): Promise<Buffer> {
    const download =
      this.#download?.holds(range, this.readsFrom ? undefined : Number.POSITIVE_INFINITY) === true
        ? this.#download
        : await this.#begin(path, stat, range.offset);
    const skipped = range.offset - download.position;
    if (!this.readsFrom && skipped > 0) this.#rereads.spend(path, skipped);
    const bytes = await download.read(range);
    if (bytes.length === range.length) return bytes;
    const { size } = await this.#stat(path);
    if (size >= range.offset + range.length) throw new LinkLost('the server sent less than the file holds');
    throw new FileError({ code: 'ECHANGED', message: 'was cut while it was read' });
  }

  /** Servers refuse an offset with many codes, some of them only when the file is asked for. */
  async #begin(path: string, stat: FileStat, offset: number): Promise<Download> {
    await this.#end();
    const { client } = this.#link;
    if (this.readsFrom && offset > 0) {
      try {
        return (this.#download = await Download.open(client, path, stat, offset));
      } catch (error) {
        if (!(error instanceof FTPError) || connectionCodes.has(error.code)) throw error;
      }
    }
    this.#download = await Download.open(client, path, stat, 0);
    // The file itself is not at fault.
    if (offset > 0) this.readsFrom = false;
    return this.#download;
  }

  /** Ends the transfer under way, because the connection does one thing at a time. */
  async #end(): Promise<void> {
    const download = this.#download;
    this.#download = null;
    await download?.end();
  }

  async #stat(path: string): Promise<FileStat> {
    await this.#end();
    const { client, features } = this.#link;
    const size = await this.#sizeOf(path);
    if (size === null) return await this.#listedStat(path);
    if (!Number.isSafeInteger(size) || size < 0) throw new FileError({ message: 'has no valid size' });
    const changedAt = features.has('MDTM') ? await client.lastMod(path).catch(unlessLost) : null;
    return { size, changedAt: changedAt === null ? null : validTime(changedAt), identity: null };
  }

  /** Null: the server does not know the command. */
  async #sizeOf(path: string): Promise<number | null> {
    if (!this.saysSizes) return null;
    try {
      return await this.#link.client.size(path);
    } catch (error) {
      if (!(error instanceof FTPError)) throw error;
      this.saysSizes = !notImplemented.has(error.code);
      if (this.saysSizes) throw await this.#whatIsAt(path, error);
      return null;
    }
  }

  /** A file's state as its folder lists it. */
  async #listedStat(path: string): Promise<FileStat> {
    await this.#link.client.cd(folderOf(path));
    const info = (await this.#listed()).find(({ name }) => name === posix.basename(path));
    if (info === undefined) throw new FileError({ code: 'ENOENT', message: 'no such file' });
    if (info.isDirectory) throw new FileError({ code: 'EISDIR', message: 'is a folder' });
    if (!info.isFile) throw new FileError({ code: 'ENOTFILE', message: 'is not a regular file' });
    return statOf(info);
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
    await this.#end();
    try {
      await this.#link.client.cd(folder);
    } catch (error) {
      if (!(error instanceof FTPError)) throw error;
      if ((await this.#statOrNull(folder)) !== null)
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

  async #do<T>(work: (latest: ReadonlyMap<string, FileStat>) => Promise<T>): Promise<T> {
    const latest = this.#latest;
    this.#latest = new Map();
    try {
      return await work(latest);
    } catch (error) {
      if (error instanceof FileError || error instanceof LinkLost) throw error;
      if (!(error instanceof FTPError) || lostCodes.has(error.code))
        throw new LinkLost(lossOf(error, this.#link.place));
      throw refused(error);
    }
  }
}

/** Source: RFC 3659, 7.5 */
const modifyFact = /[ ;]modify=(\d{14})/i;

/** A shorter read is one of a few bytes here and there. */
const sequentialBytes = 64 * 1024;

/** Source: RFC 959, 4.2: the server does not know the command. */
const notImplemented = new Set([500, 502]);
/** Source: RFC 959, 4.2: the service closes, or a data connection failed. */
const connectionCodes = new Set([421, 425, 426]);
const lostCodes = new Set([...connectionCodes, 451]);

/** Servers refuse with one code whatever the reason. Windows lets one program alone have a file open. */
const reasons = [
  [/permission|denied|not allowed/i, 'EACCES'],
  [/used by another|file is in use|sharing violation/i, 'EBUSY'],
] as const;

function refused({ code, message }: FTPError): FileError {
  const kind = code === 550 ? (reasons.find(([words]) => words.test(message))?.[1] ?? 'ENOENT') : 'EIO';
  return new FileError({ code: kind, message: `the server says: ${message}` });
}

/** The root of a drive keeps its slash: `C:` is where the server happens to be on it. */
const folderOf = (path: string): string => posix.dirname(path).replace(/^[a-z]:$/i, '$&/');

function statOf({ size, modifiedAt }: FileInfo): FileStat {
  return { size, changedAt: modifiedAt === undefined ? null : validTime(modifiedAt), identity: null };
}

const validTime = (time: Date): number | null => (Number.isNaN(time.getTime()) ? null : time.getTime());

function unlessLost(error: unknown): null {
  if (error instanceof FTPError) return null;
  throw error;
}
