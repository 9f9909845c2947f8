import { beforeBytes, type FileEdges, headBytes } from './file-marks.ts';
import { FileError, type FileAccess, type FileRange, type FileStat } from '../file-access.ts';

interface Part {
  offset: number;
  bytes: Buffer;
  /** Whether the file ended there. */
  isLast: boolean;
}

/** Bytes of a request that reads on from known bytes. Who asks for as much at once reads the file from start to end. */
const partBytes = 256 * 1024;

/** Number of cached parts: while one block is processed, the next is read. */
const keptParts = 4;

/**
 * A file that is read part by part. The latest parts are cached, so that the steps of one poll (identify the file,
 * read what is new, compute new digests) need few requests. If another file takes its place meanwhile, that is an
 * error: where files have no identity, each part is read with known bytes before it or with the file's start.
 */
export class OpenedFile {
  readonly #files: FileAccess;
  readonly #path: string;
  /** The state in which it was opened. */
  readonly stat: FileStat;
  readonly #parts: Part[];

  /** @param ranges the parts to read with it, so that they need no request of their own */
  static async open(files: FileAccess, path: string, ranges: readonly FileRange[]): Promise<OpenedFile> {
    const { stat, parts } = await files.read(path, ranges);
    return new OpenedFile(files, path, stat, partsOf(ranges, parts));
  }

  /**
   * Opens a file that was read up to a position moments ago, without asking again for what is known of it.
   * @returns null if other bytes than these precede the position now
   */
  static async reopen(files: FileAccess, path: string, edges: FileEdges): Promise<OpenedFile | null> {
    const { position, head, before } = edges;
    const compared = before.subarray(-comparedBytes);
    const range = { offset: position - compared.length, length: compared.length + partBytes };
    const { stat, parts } = await files.read(path, [range]);
    const [part] = partsOf([range], parts) as [Part];
    if (!part.bytes.subarray(0, compared.length).equals(compared)) return null;
    const bytes = Buffer.concat([before, part.bytes.subarray(compared.length)]);
    return new OpenedFile(files, path, stat, [
      { offset: 0, bytes: head, isLast: false },
      { offset: position - before.length, bytes, isLast: part.isLast },
    ]);
  }

  private constructor(files: FileAccess, path: string, stat: FileStat, parts: Part[]) {
    this.#files = files;
    this.#path = path;
    this.stat = stat;
    this.#parts = parts;
  }

  async read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }> {
    const known = this.#parts.findLast(
      (part) =>
        position >= part.offset && (part.isLast ? position <= endOf(part) : position + length <= endOf(part)),
    );
    const part = known ?? (await this.#readPart({ offset: position, length }));
    const from = position - part.offset;
    return { bytesRead: part.bytes.copy(buffer, offset, from, from + length) };
  }

  async #readPart({ offset, length }: FileRange): Promise<Part> {
    const before = this.#bytesBefore(offset);
    const wanted = length >= partBytes ? Math.max(length, this.#files.stepBytes) : length;
    const range = { offset: offset - before.length, length: wanted + before.length };
    // Where nothing precedes it that is known, the file's start shows whether it is still the same.
    const head = before.length > 0 ? null : this.#headToCompare();
    const ranges = head === null ? [range] : [range, { offset: 0, length: head.length }];
    const { stat, parts } = await this.#files.read(this.#path, ranges);
    const [part] = partsOf([range], parts) as [Part];
    if (
      stat.identity !== this.stat.identity ||
      !part.bytes.subarray(0, before.length).equals(before) ||
      (head !== null && parts[1]?.equals(head) !== true)
    ) {
      throw new FileError({ code: 'ECHANGED', message: 'was replaced while it was read' });
    }
    this.#parts.push(part);
    // The first part is the file's start, which identifies it.
    if (this.#parts.length > keptParts) this.#parts.splice(1, 1);
    return part;
  }

  /** The known bytes before an offset, where nothing else distinguishes the file from one that replaces it. */
  #bytesBefore(offset: number): Buffer {
    const before = this.stat.identity === null ? this.#parts.find((part) => endOf(part) === offset) : null;
    return before?.bytes.subarray(-beforeBytes) ?? Buffer.alloc(0);
  }

  /** How the file begins, likewise. */
  #headToCompare(): Buffer | null {
    const [first] = this.#parts;
    if (this.stat.identity !== null || first?.offset !== 0 || first.bytes.length === 0) return null;
    return first.bytes.subarray(0, headBytes);
  }
}

/**
 * The latest line with its time, at a poll that finds a file longer than moments ago: logs in which the same player comes
 * first differ in nothing else before the position.
 */
const comparedBytes = 128;

const endOf = ({ offset, bytes }: Part): number => offset + bytes.length;

function partsOf(ranges: readonly FileRange[], parts: readonly Buffer[]): Part[] {
  return ranges.map(({ offset, length }, i) => {
    const bytes = parts[i] ?? Buffer.alloc(0);
    return { offset, bytes, isLast: bytes.length < length };
  });
}
