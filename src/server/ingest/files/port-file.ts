import { FileError, type FilePort, type FileRange, type FileStat } from './file-port.ts';

/** What was read of a file. */
interface Part {
  offset: number;
  bytes: Buffer;
  /** Whether the file ended there. */
  isLast: boolean;
}

/** So many parts are kept: of blocks, what comes next is read while one is worked on. */
const keptParts = 4;

/**
 * A file that is read through a port. What was read last is kept, so that the steps of one poll of a file (what it is
 * known by, what is new, what it is known by then) need few requests. A file that another one takes the place of
 * meanwhile is an error.
 */
export class PortFile {
  readonly #files: FilePort;
  readonly #path: string;
  readonly #stat: FileStat;
  readonly #parts: Part[];

  /** @param ranges what to read at once */
  static async open(files: FilePort, path: string, ranges: readonly FileRange[]): Promise<PortFile> {
    const { stat, parts } = await files.read(path, ranges);
    return new PortFile(files, path, stat, partsOf(ranges, parts));
  }

  private constructor(files: FilePort, path: string, stat: FileStat, parts: Part[]) {
    this.#files = files;
    this.#path = path;
    this.#stat = stat;
    this.#parts = parts;
  }

  /** The state in which it was opened. */
  get stat(): FileStat {
    return this.#stat;
  }

  get bytes(): number {
    return this.#stat.size;
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

  /** Nothing is open between two requests. */
  close(): void {}

  async #readPart(range: FileRange): Promise<Part> {
    const { stat, parts } = await this.#files.read(this.#path, [range]);
    if (stat.identity !== this.#stat.identity) {
      throw new FileError({ code: 'ECHANGED', message: 'was replaced while it was read' });
    }
    const [part] = partsOf([range], parts) as [Part];
    this.#parts.push(part);
    // The first holds how the file begins, by which it is known.
    if (this.#parts.length > keptParts) this.#parts.splice(1, 1);
    return part;
  }
}

const endOf = ({ offset, bytes }: Part): number => offset + bytes.length;

function partsOf(ranges: readonly FileRange[], parts: readonly Buffer[]): Part[] {
  return ranges.map(({ offset, length }, i) => {
    const bytes = parts[i] ?? Buffer.alloc(0);
    return { offset, bytes, isLast: bytes.length < length };
  });
}
