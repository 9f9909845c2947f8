import { maxLineBytes } from '../../files/blocks.ts';
import type { FilePort } from '../../files/file-port.ts';
import type { FolderFile } from './folder-listing.ts';
import type { LocalZone } from './local-clock.ts';
import type { LogFormat } from './log-format.ts';

/** How a file starts and ends. */
interface FileEnds {
  /** Some lines each. */
  head: Buffer;
  tail: Buffer;
  /** The last header in the file's first bytes; null: there is none. */
  header: string | null;
}

/** What is kept of a file's start and end: enough for some lines. */
const keptBytes = 4096;
const lineFeed = 0x0a;

/** Reads how the files of a folder start and end, each once. */
export class EndsOfFiles {
  readonly #port: FilePort;
  readonly #format: LogFormat;
  readonly #zone: LocalZone;
  readonly #read = new Map<string, FileEnds>();

  constructor(port: FilePort, format: LogFormat, zone: LocalZone) {
    this.#port = port;
    this.#format = format;
    this.#zone = zone;
  }

  async of({ path, stat }: FolderFile): Promise<FileEnds> {
    const known = this.#read.get(path);
    if (known !== undefined) return known;
    const { parts } = await this.#port.read(path, [
      { offset: 0, length: maxLineBytes },
      { offset: Math.max(0, stat.size - maxLineBytes), length: maxLineBytes },
    ]);
    const [head = Buffer.of(), tail = Buffer.of()] = parts;
    const reader = this.#format.open({ zone: this.#zone, state: null });
    Array.from(reader.read({ bytes: head, lines: true, unfinished: false }));
    const ends = {
      head: Buffer.from(head.subarray(0, keptBytes)),
      tail: Buffer.from(tail.subarray(-keptBytes)),
      header: reader.run?.header ?? null,
    };
    this.#read.set(path, ends);
    return ends;
  }

  /** Whether a file's last line goes on at the start of another file. */
  async isCutAtEnd(file: FolderFile, files: readonly FolderFile[]): Promise<boolean> {
    const { recovery } = this.#format;
    const { tail } = await this.of(file);
    for (const other of files) {
      if (other.path === file.path || recovery === undefined) continue;
      const { head } = await this.of(other);
      const first = head.subarray(0, head.indexOf(lineFeed) + 1);
      const isRest = recovery.startsWith(head, false) === 'line' && recovery.isCutOff(first);
      if (isRest && recovery.mayFollow(head, tail)) return true;
    }
    return false;
  }
}

/** Whether one of two files may be a copy of the other. */
export function startAlike(one: FileEnds, other: FileEnds): boolean {
  const length = Math.min(one.head.length, other.head.length, keptBytes);
  return one.head.subarray(0, length).equals(other.head.subarray(0, length));
}
