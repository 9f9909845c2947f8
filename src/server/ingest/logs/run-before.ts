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
  state: ReaderState;
  /** When the file at its end was changed last; null: unknown. */
  changedAt: number | null;
}

interface RunBeforeOptions {
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
  /** The run before a file, by path; null: there is none, or it is being looked for. */
  readonly #before = new Map<string, FoundRun | null>();
  /** The open run of which a file is a copy, by path; null: of none. */
  readonly #copied = new Map<string, OpenRun | null>();
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
    const before = await this.#runBefore(file);
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

  /**
   * The run that ends just before a file, found once: a run that was cut into many files is a long chain, and each of them
   * may follow several others.
   */
  async #runBefore(file: FolderFile): Promise<FoundRun | null> {
    const known = this.#before.get(file.path);
    if (known !== undefined) return known;
    // No file comes before itself, whatever the others say.
    this.#before.set(file.path, null);
    const run = await this.#findBefore(file);
    this.#before.set(file.path, run);
    return run;
  }

  async #findBefore(file: FolderFile): Promise<FoundRun | null> {
    const others = await this.#othersBeside(file);
    const notLater = others.filter((other) => !isLater(other, file));
    let runs = [...(await this.#fitting(notLater, file)), ...(await this.#fittingWithoutFile(others, file))];
    if (runs.length === 0) {
      // The times of files may be those of a download. Then there must be no choice.
      runs = await this.#fitting(
        others.filter((other) => isLater(other, file)),
        file,
      );
      if (runs.length > 1) return null;
    }
    const newest = runs.toSorted((a, b) => b.state.lastSeenAt - a.state.lastSeenAt)[0] ?? null;
    return newest === null || newest.state.header < (await this.#latestHeader(others, file)) ? null : newest;
  }

  /** The other files of the folder but for copies of this one, the newest first of those that are not later than it. */
  async #othersBeside(file: FolderFile): Promise<FolderFile[]> {
    const others = (await this.#folder())
      .filter(({ path }) => path !== file.path)
      .toSorted((a, b) => Number(isLater(a, file)) - Number(isLater(b, file)) || (isNewer(a, b) ? -1 : 1));
    const tried = file.stat.identity === null ? others.slice(0, mostRemoteFiles) : others;
    const ends = await this.#ends.of(file);
    const different: FolderFile[] = [];
    for (const other of tried) if (!startAlike(ends, await this.#ends.of(other))) different.push(other);
    return different;
  }

  /** The latest header in the files that were changed before this one. */
  async #latestHeader(others: readonly FolderFile[], file: FolderFile): Promise<string> {
    const earlier = others.filter((other) => isLater(file, other));
    const ends = await Promise.all(earlier.map((other) => this.#ends.of(other)));
    return ends.reduce((latest, { header }) => (header !== null && header > latest ? header : latest), '');
  }

  /** The runs at the ends of other files that a file may continue. */
  async #fitting(others: readonly FolderFile[], file: FolderFile): Promise<FoundRun[]> {
    const fitting: FoundRun[] = [];
    for (const other of others) {
      const open = await this.#openIn(other);
      if (open === null && !(await this.#mayFollow(file, other))) continue;
      const run = await this.#runAtEndOf(other, open);
      if (run !== null && (await this.#fits(run, file))) fitting.push(run);
    }
    return fitting;
  }

  /** The open runs that a file may continue and that are in no other one. */
  async #fittingWithoutFile(others: readonly FolderFile[], file: FolderFile): Promise<FoundRun[]> {
    const copied = await Promise.all(others.map((other) => this.#openIn(other)));
    const fitting: FoundRun[] = [];
    for (const open of this.#options.open ?? []) {
      const { state, changedAt } = open;
      const run = { open, parts: [], state, changedAt };
      if (!copied.includes(open) && (await this.#fits(run, file))) fitting.push(run);
    }
    return fitting;
  }

  /** Whether a file may follow another one, by the times of their lines and, if those overlap, by which starts first. */
  async #mayFollow(file: FolderFile, other: FolderFile): Promise<boolean> {
    const { recovery } = this.#options.format;
    const [ends, otherEnds] = [await this.#ends.of(file), await this.#ends.of(other)];
    if (recovery?.mayFollow(ends.head, otherEnds.tail) !== true) return false;
    if (isLater(file, other) || !recovery.mayFollow(otherEnds.head, ends.tail)) return true;
    const [start, otherStart] = [recovery.firstTime(ends.head), recovery.firstTime(otherEnds.head)];
    return start === otherStart ? isNewer(file, other) : (start ?? '') > (otherStart ?? '');
  }

  async #runAtEndOf(file: FolderFile, open: OpenRun | null): Promise<FoundRun | null> {
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
    const before = await this.#runBefore(file);
    return (
      before && (await this.#read({ open: before.open, parts: [...before.parts, wholeFile(path)] }, file))
    );
  }

  /** The state after these parts; null: no run is open at their end. */
  async #read({ open, parts }: RunParts, last: FolderFile): Promise<FoundRun | null> {
    const state = (await this.#readerAfter({ open, parts })).state();
    return state && { open, parts, state, changedAt: last.changedAt };
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
    const known = this.#copied.get(path);
    if (known !== undefined) return known;
    let copied: OpenRun | null = null;
    for (const open of this.#options.open ?? []) {
      if (stat.size < open.marks.position) continue;
      const file = await PortFile.open(this.#options.port, path, markRanges(open.marks.position));
      if (!(await hasMarks(file, open.marks))) continue;
      copied = open;
      break;
    }
    this.#copied.set(path, copied);
    return copied;
  }
}

/** Whether a file was changed after another one, as far as that is known: a copy and a cut may share a tick of the clock. */
const isLater = (file: FolderFile, other: FolderFile): boolean =>
  file.changedAt !== null && other.changedAt !== null && file.changedAt > other.changedAt;
