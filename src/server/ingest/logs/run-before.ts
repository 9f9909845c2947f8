import {
  type Block,
  type BlockStart,
  type ByteSource,
  maxLineBytes,
  readBlocks,
  readBytes,
} from '../files/blocks.ts';
import { type FileMarks, hasMarks, markRanges } from '../files/file-marks.ts';
import type { FilePort } from '../files/file-port.ts';
import { PortFile } from '../files/port-file.ts';
import { type FolderFile, isNewer } from './folder-listing.ts';
import type { LocalZone } from './local-clock.ts';
import type { LogBlock, LogFormat, LogReader, ReaderState } from './log-format.ts';
import { headOf, readRest } from './read-rest.ts';

/** A run that is being read, and how far. */
export interface OpenRun {
  path: string;
  marks: FileMarks;
  skipping: boolean;
  state: ReaderState;
  /** When its file was changed last; null: unknown. */
  changedAt: number | null;
  /** Whether its file was polled just before it was emptied, so that no other log can have been in its place. */
  isInSight: boolean;
}

/** A part of a run: a file, or what follows an offset in it. */
export interface RunPart extends BlockStart {
  path: string;
}

/** A run as far as it was found, by the files to read one after the other. */
export interface RunParts {
  /** From whose state reading continues; null: the first part starts with the run's header, or has it inside. */
  open: OpenRun | null;
  parts: readonly RunPart[];
}

interface FoundRun extends RunParts {
  /** The state at its end. */
  state: ReaderState;
  changedAt: number | null;
  /** The file at its end; null: that of the open run is gone. */
  last: FolderFile | null;
}

export interface RunBeforeOptions {
  port: FilePort;
  format: LogFormat;
  zone: LocalZone;
  /** The files of the folder, or of the import. */
  files: () => Promise<readonly FolderFile[]>;
  open?: readonly OpenRun[];
}

/** Opening more files than this takes too long where the files are elsewhere; the newest are tried. */
const mostRemoteFiles = 20;
/** What is kept of a file's start and end: enough for some lines. */
const keptBytes = 4096;
const dayMs = 86_400_000;
const lineFeed = 0x0a;

/**
 * Finds the run that a file without a header continues: the newest one of the folder, if it ends just before the file
 * starts. Files that were never read count, and so do several such files in a row.
 */
export class RunBefore {
  readonly #options: RunBeforeOptions;
  /** What was read of a file, by path. */
  readonly #ends = new Map<string, FileEnds>();
  /** The run at the end of a file that has its header, by path; null: there is none. */
  readonly #own = new Map<string, FoundRun | null>();
  #files: readonly FolderFile[] | null = null;

  constructor(options: RunBeforeOptions) {
    this.#options = options;
  }

  /** Null: the file does not start with a line of a run, or no run fits. */
  async partsWith(file: FolderFile, source: ByteSource): Promise<RunParts | null> {
    const { path } = file;
    if (this.#options.format.recovery?.startsWith(...(await headOf(source))) !== 'line') return null;
    const open = await this.#openIn(file);
    if (open !== null) return { open, parts: [partOf(open, path)] };
    const before = await this.#before(file, [path]);
    return before && { open: before.open, parts: [...before.parts, { path, position: 0, skipping: false }] };
  }

  /** Whether a file has what was read of an open run: it is a copy, since a renamed log is followed on. */
  async isCopy(file: FolderFile): Promise<boolean> {
    const open = await this.#openIn(file);
    return open !== null && open.path !== file.path;
  }

  /**
   * The blocks of a whole file. An unfinished last line counts, unless it may have been cut: in a copy of a log that is
   * followed, or if another file starts with the end of a line.
   */
  async *blocks(file: FolderFile, source: AsyncIterable<Block>): AsyncGenerator<Block, void, void> {
    for await (const block of source) {
      const isCut = block.unfinished && ((await this.isCopy(file)) || (await this.#isCutAtEnd(file)));
      yield isCut ? { ...block, lines: false, unfinished: false } : block;
    }
  }

  async #isCutAtEnd(file: FolderFile): Promise<boolean> {
    const { recovery } = this.#options.format;
    const { tail } = await this.#endsOf(file);
    this.#files ??= await this.#options.files();
    for (const other of this.#files) {
      if (other.path === file.path || recovery === undefined) continue;
      const { head } = await this.#endsOf(other);
      const first = head.subarray(0, head.indexOf(lineFeed) + 1);
      const isRest = recovery.startsWith(head, false) === 'line' && recovery.isCutOff(first);
      if (isRest && recovery.mayFollow(head, tail)) return true;
    }
    return false;
  }

  async #before(file: FolderFile, seen: readonly string[]): Promise<FoundRun | null> {
    const { recovery } = this.#options.format;
    const { head } = await this.#endsOf(file);
    this.#files ??= await this.#options.files();
    const others = this.#files
      .filter(({ path }) => !seen.includes(path))
      .toSorted((a, b) => (isNewer(a, b) ? -1 : 1));
    const mostFiles = file.stat.identity === null ? mostRemoteFiles : others.length;
    const found: FoundRun[] = [];
    const copied = new Set<OpenRun>();
    let latestHeader = '';
    for (const other of others.slice(0, mostFiles)) {
      const open = await this.#openIn(other);
      if (open !== null) copied.add(open);
      const { head: otherHead, tail, header } = await this.#endsOf(other);
      if (startAlike(head, otherHead)) continue;
      if (isLater(file, other) && header !== null && header > latestHeader) latestHeader = header;
      if (open === null && recovery?.mayFollow(head, tail) !== true) continue;
      const run = await this.#runAtEndOf(other, open, seen);
      if (run !== null) found.push(run);
    }
    for (const open of this.#options.open ?? []) {
      const { state, changedAt } = open;
      if (!copied.has(open)) found.push({ open, parts: [], state, changedAt, last: null });
    }
    const fitting: FoundRun[] = [];
    for (const run of found) {
      const fits = recovery?.follows(head, run.state, run.open?.isInSight === true) === true;
      if (fits && !(await this.#isLaterDay(run, file))) fitting.push(run);
    }
    const earlier = fitting.filter(({ last }) => last === null || !isLater(last, file));
    // The times of files may be those of a download. Then there must be no choice.
    const runs = earlier.length > 0 || fitting.length !== 1 ? earlier : fitting;
    const newest = runs.toSorted((a, b) => b.state.lastSeenAt - a.state.lastSeenAt)[0] ?? null;
    return newest === null || newest.state.header < latestHeader ? null : newest;
  }

  async #runAtEndOf(
    file: FolderFile,
    open: OpenRun | null,
    seen: readonly string[],
  ): Promise<FoundRun | null> {
    const { path } = file;
    if (open !== null) {
      // A file that was renamed instead of copied is finished: the game writes to another one.
      if (file.stat.identity !== null && file.stat.identity === open.marks.identity) return null;
      return await this.#read({ open, parts: [partOf(open, path)] }, file);
    }
    const start = { path, position: 0, skipping: false };
    const known = this.#own.get(path);
    const own = known === undefined ? await this.#read({ open: null, parts: [start] }, file) : known;
    this.#own.set(path, own);
    if (own !== null) return own;
    const before = await this.#before(file, [...seen, path]);
    return before && (await this.#read({ open: before.open, parts: [...before.parts, start] }, file));
  }

  /** The state after these parts; null: no run is open at their end. */
  async #read({ open, parts }: RunParts, last: FolderFile): Promise<FoundRun | null> {
    const reader = await this.#readerAfter({ open, parts });
    const state = reader.state();
    return state && { open, parts, state, changedAt: last.changedAt, last };
  }

  async #readerAfter({ open, parts }: RunParts): Promise<LogReader<ReaderState>> {
    const { port, format, zone } = this.#options;
    const reader = format.open({ zone, state: open?.state ?? null });
    // The events are not needed, but reading them moves the reader's clock.
    const read = (block: LogBlock): void => void Array.from(reader.read(block));
    await readParts(port, format, { open, parts }, read);
    return reader;
  }

  /**
   * Whether files were changed half a day later than the times of their lines explain: the lines have no dates, so a
   * file that continues another log may seem to start just after this run.
   */
  async #isLaterDay(run: FoundRun, file: FolderFile): Promise<boolean> {
    if (file.changedAt === null || run.changedAt === null) return false;
    const changedMs = file.changedAt - run.changedAt;
    if (changedMs < dayMs / 2) return false;
    const parts = [...run.parts, { path: file.path, position: 0, skipping: false }];
    const { lastEventAt } = await this.#readerAfter({ open: run.open, parts });
    return changedMs > (lastEventAt ?? 0) - run.state.lastSeenAt + dayMs / 2;
  }

  /** The open run of which a file is a copy, as far as that was read. */
  async #openIn({ path, stat }: FolderFile): Promise<OpenRun | null> {
    for (const open of this.#options.open ?? []) {
      if (stat.size < open.marks.position) continue;
      const file = await PortFile.open(this.#options.port, path, markRanges(open.marks.position));
      if (await hasMarks(file, open.marks)) return open;
    }
    return null;
  }

  async #endsOf({ path, stat }: FolderFile): Promise<FileEnds> {
    const known = this.#ends.get(path);
    if (known !== undefined) return known;
    const { port, format, zone } = this.#options;
    const { parts } = await port.read(path, [
      { offset: 0, length: maxLineBytes },
      { offset: Math.max(0, stat.size - maxLineBytes), length: maxLineBytes },
    ]);
    const [head = Buffer.of(), tail = Buffer.of()] = parts;
    const reader = format.open({ zone, state: null });
    Array.from(reader.read({ bytes: head, lines: true, unfinished: false }));
    const ends = {
      head: Buffer.from(head.subarray(0, keptBytes)),
      tail: Buffer.from(tail.subarray(-keptBytes)),
      header: reader.run?.header ?? null,
    };
    this.#ends.set(path, ends);
    return ends;
  }
}

/** What was read of a file. */
interface FileEnds {
  head: Buffer;
  tail: Buffer;
  /** The last header in `head`; null: there is none. */
  header: string | null;
}

/** Whether a file was changed after another one, as far as that is known: a copy and a cut may share a tick of the clock. */
const isLater = (file: FolderFile, other: FolderFile): boolean =>
  file.changedAt !== null && other.changedAt !== null && file.changedAt > other.changedAt;

/** Whether one of two files may be a copy of the other. */
function startAlike(one: Buffer, other: Buffer): boolean {
  const length = Math.min(one.length, other.length, keptBytes);
  return one.subarray(0, length).equals(other.subarray(0, length));
}

/** Reads all parts of a run but the last. @returns the blocks of the last. @param file the last part */
export async function readStart(
  port: FilePort,
  format: LogFormat,
  { open, parts }: RunParts,
  file: ByteSource,
  onBlock: (block: LogBlock) => void,
): Promise<AsyncGenerator<Block, void, void>> {
  const unfinished = await readParts(port, format, { open, parts: parts.slice(0, -1) }, onBlock);
  const last = parts.at(-1);
  return last === undefined || last.position === 0
    ? readRest(file, unfinished, format.recovery)
    : readBlocks(file, last);
}

/**
 * Reads the parts of a run, of which each continues the one before it.
 * @returns the unfinished last line of the last part; empty: there is none
 */
export async function readParts(
  port: FilePort,
  { recovery }: LogFormat,
  { open, parts }: RunParts,
  onBlock: (block: LogBlock) => void,
): Promise<Buffer> {
  let unfinished: Buffer = Buffer.of();
  let isRest = open !== null;
  for (const { path, ...from } of parts) {
    const file = await PortFile.open(port, path, [{ offset: from.position, length: readBytes }]);
    const blocks =
      isRest && from.position === 0 ? readRest(file, unfinished, recovery) : readBlocks(file, from);
    unfinished = Buffer.of();
    for await (const block of blocks) {
      if (block.unfinished) unfinished = Buffer.from(block.bytes);
      else onBlock(block);
    }
    isRest = true;
  }
  return unfinished;
}

const partOf = ({ marks, skipping }: OpenRun, path: string): RunPart => ({
  path,
  position: marks.position,
  skipping,
});
