import { readBytes } from '../files/blocks.ts';
import { type FileEdges, type FileMarks, markRanges, marksOf, readEdges } from '../files/file-marks.ts';
import type { FilePort, FileStat } from '../files/file-port.ts';
import { PortFile } from '../files/port-file.ts';
import { sizeOfStamp, timeOfStamp } from './log-stamp.ts';

/** A log that was seen this lately and only grew is the same file: another one is shorter at first. */
const sameFileMs = 30_000;

/** Opens a followed file with the parts that a poll needs, and remembers what it is known by. */
export class FollowedFile {
  readonly #port: FilePort;
  /** Null: nothing of it was read by this process. */
  #edges: FileEdges | null = null;

  constructor(port: FilePort) {
    this.#port = port;
  }

  /** With the parts that identify it, and what follows the position. */
  async open(path: string, position: number): Promise<PortFile> {
    const ranges = position === 0 ? [{ offset: 0, length: 0 }] : markRanges(position);
    const last = ranges.at(-1);
    if (last !== undefined) last.length += readBytes;
    return await PortFile.open(this.#port, path, ranges);
  }

  /**
   * The same, where a file that only grew is compared by its latest bytes alone.
   * @param seen the file's stamp when it was read to its end, and how long ago that was
   */
  async openAtPoll(
    path: string,
    position: number,
    stat: FileStat,
    seen: { stamp: string; agoMs: number },
  ): Promise<PortFile> {
    const edges = this.#edges;
    const hasOnlyGrown =
      seen.agoMs <= sameFileMs &&
      stat.size >= sizeOfStamp(seen.stamp) &&
      (stat.changedAt ?? Number.POSITIVE_INFINITY) >= (timeOfStamp(seen.stamp) ?? 0);
    const grown =
      hasOnlyGrown && edges?.position === position ? await PortFile.reopen(this.#port, path, edges) : null;
    return grown ?? (await this.open(path, position));
  }

  /** What it is known by at a position; null if it is shorter. */
  async marksAt(file: PortFile, position: number): Promise<FileMarks | null> {
    this.#edges = await readEdges(file, position);
    return this.#edges && marksOf(this.#edges);
  }
}
