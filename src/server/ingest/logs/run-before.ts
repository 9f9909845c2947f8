import type { Block, ByteSource } from '../../files/blocks.ts';
import { hasMarks, markRanges } from '../../files/file-marks.ts';
import type { FilePort } from '../../files/file-port.ts';
import { PortFile } from '../../files/port-file.ts';
import { EndsOfFiles, startAlike } from './file-ends.ts';
import { type FolderFile, isNewer } from './folder-listing.ts';
import type { LocalZone } from './local-clock.ts';
import type { LogFormat, LogReader, ReaderState } from './log-format.ts';
import { headOf } from './read-rest.ts';
import { type OpenRun, readParts, restIn, type RunParts, wholeFile } from './run-parts.ts';

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
const dayMs = 86_400_000;

/**
 * Finds the run that a file without a header continues: the newest one of the folder, if it ends just before the file
 * starts. Files that were never read count, and so do several such files in a row.
 */
export class RunBefore {
  readonly #options: RunBeforeOptions;
  readonly #ends: EndsOfFiles;
  /** The run at the end of a file that has its header, by path; null: there is none. */
  readonly #own = new Map<string, FoundRun | null>();
  #files: readonly FolderFile[] | null = null;

  constructor(options: RunBeforeOptions) {
    this.#options = options;
    this.#ends = new EndsOfFiles(options.port, options.format, options.zone);
  }

  /** Null: the file does not start with a line of a run, or no run fits. */
  async partsWith(file: FolderFile, source: ByteSource): Promise<RunParts | null> {
    const { path } = file;
    if (this.#options.format.recovery?.startsWith(...(await headOf(source))) !== 'line') return null;
    const open = await this.#openIn(file);
    if (open !== null) return { open, parts: [restIn(path, open)] };
    const before = await this.#before(file, [path]);
    return before && { open: before.open, parts: [...before.parts, wholeFile(path)] };
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
      const isCut =
        block.unfinished &&
        ((await this.isCopy(file)) || (await this.#ends.isCutAtEnd(file, await this.#folder())));
      yield isCut ? { ...block, lines: false, unfinished: false } : block;
    }
  }

  async #folder(): Promise<readonly FolderFile[]> {
    return (this.#files ??= await this.#options.files());
  }

  /** The run that ends just before a file. @param seen the files after it, which cannot be before it */
  async #before(file: FolderFile, seen: readonly string[]): Promise<FoundRun | null> {
    const { found, latestHeader } = await this.#runsBeside(file, seen);
    const fitting: FoundRun[] = [];
    for (const run of found) if (await this.#fits(run, file)) fitting.push(run);
    const earlier = fitting.filter(({ last }) => last === null || !isLater(last, file));
    // The times of files may be those of a download. Then there must be no choice.
    const runs = earlier.length > 0 || fitting.length !== 1 ? earlier : fitting;
    const newest = runs.toSorted((a, b) => b.state.lastSeenAt - a.state.lastSeenAt)[0] ?? null;
    return newest === null || newest.state.header < latestHeader ? null : newest;
  }

  /** The runs that a file may continue, and the latest header in a file that is not newer than it. */
  async #runsBeside(
    file: FolderFile,
    seen: readonly string[],
  ): Promise<{ found: FoundRun[]; latestHeader: string }> {
    const ends = await this.#ends.of(file);
    const others = (await this.#folder())
      .filter(({ path }) => !seen.includes(path))
      .toSorted((a, b) => (isNewer(a, b) ? -1 : 1));
    const mostFiles = file.stat.identity === null ? mostRemoteFiles : others.length;
    const found: FoundRun[] = [];
    const copied = new Set<OpenRun>();
    let latestHeader = '';
    for (const other of others.slice(0, mostFiles)) {
      const open = await this.#openIn(other);
      if (open !== null) copied.add(open);
      const otherEnds = await this.#ends.of(other);
      if (startAlike(ends, otherEnds)) continue;
      const { header, tail } = otherEnds;
      if (isLater(file, other) && header !== null && header > latestHeader) latestHeader = header;
      if (open === null && this.#options.format.recovery?.mayFollow(ends.head, tail) !== true) continue;
      const run = await this.#runAtEndOf(other, open, seen);
      if (run !== null) found.push(run);
    }
    for (const open of this.#options.open ?? []) {
      const { state, changedAt } = open;
      if (!copied.has(open)) found.push({ open, parts: [], state, changedAt, last: null });
    }
    return { found, latestHeader };
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
      return await this.#read({ open, parts: [restIn(path, open)] }, file);
    }
    const known = this.#own.get(path);
    const own =
      known === undefined ? await this.#read({ open: null, parts: [wholeFile(path)] }, file) : known;
    this.#own.set(path, own);
    if (own !== null) return own;
    const before = await this.#before(file, [...seen, path]);
    return (
      before && (await this.#read({ open: before.open, parts: [...before.parts, wholeFile(path)] }, file))
    );
  }

  /** The state after these parts; null: no run is open at their end. */
  async #read({ open, parts }: RunParts, last: FolderFile): Promise<FoundRun | null> {
    const state = (await this.#readerAfter({ open, parts })).state();
    return state && { open, parts, state, changedAt: last.changedAt, last };
  }

  async #readerAfter({ open, parts }: RunParts): Promise<LogReader<ReaderState>> {
    const { port, format, zone } = this.#options;
    const reader = format.open({ zone, state: open?.state ?? null });
    // The events are not needed, but reading them moves the reader's clock.
    await readParts(port, format, { open, parts }, (block) => void Array.from(reader.read(block)));
    return reader;
  }

  async #fits(run: FoundRun, file: FolderFile): Promise<boolean> {
    const { head } = await this.#ends.of(file);
    const isInSight = run.open?.isInSight === true;
    if (this.#options.format.recovery?.follows(head, run.state, isInSight) !== true) return false;
    return !(await this.#isLaterDay(run, file));
  }

  /**
   * Whether files were changed half a day later than the times of their lines explain: the lines have no dates, so a
   * file that continues another log may seem to start just after this run.
   */
  async #isLaterDay(run: FoundRun, file: FolderFile): Promise<boolean> {
    if (file.changedAt === null || run.changedAt === null) return false;
    const changedMs = file.changedAt - run.changedAt;
    if (changedMs < dayMs / 2) return false;
    const parts = [...run.parts, wholeFile(file.path)];
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
}

/** Whether a file was changed after another one, as far as that is known: a copy and a cut may share a tick of the clock. */
const isLater = (file: FolderFile, other: FolderFile): boolean =>
  file.changedAt !== null && other.changedAt !== null && file.changedAt > other.changedAt;
