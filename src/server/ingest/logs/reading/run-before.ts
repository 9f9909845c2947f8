import {
  type Block,
  type ByteSource,
  type LocalZone,
  type LogBlock,
  type LogFormat,
  type LogRecovery,
  maxLineBytes,
  type ReaderState,
} from 'dayz-files';
import { type FilePort, hasMarks, markRanges, PortFile } from 'game-files';
import { type FolderFile, isNewer } from './folder-listing.ts';
import { headOf } from './read-rest.ts';
import { openWhole } from './read-to-end.ts';
import { type OpenRun, readPart, restIn, type RunPart, type RunParts, wholeFile } from './run-parts.ts';

interface RunBeforeOptions {
  port: FilePort;
  format: LogFormat;
  zone: LocalZone;
  /** The files of the folder, or of the import. */
  files: () => Promise<readonly FolderFile[]>;
  open?: readonly OpenRun[];
}

/** How a file starts. */
interface FileHead {
  bytes: Buffer;
  startsWith: ReturnType<LogRecovery<never>['startsWith']>;
  /** The last header in it; null: there is none. */
  header: string | null;
}

/** A run from its start, or from where an open one stands, and how far it was read. */
interface ReadRun extends RunParts {
  state: ReaderState | null;
  /** The unfinished last line of the last part; null: there is no part. */
  unfinished: Buffer | null;
  /** When the file at its end was changed last; null: unknown. */
  changedAt: number | null;
}

/** Where a run starts: in a file that has its header, or where an open one stands, of which a file may be a copy. */
interface RunStart {
  header: string;
  open: OpenRun | null;
  file: FolderFile | null;
}

/** Opening more files than this takes too long where the files are elsewhere; the newest are tried. */
const mostRemoteFiles = 20;
/** What is kept of a file's start: enough for some lines. */
const keptBytes = 4096;
const dayMs = 86_400_000;
const lineFeed = 0x0a;

/**
 * Finds the run that a file without a header continues: the newest one of the folder, if it ends just before the file
 * starts. Files that were never read count, and so do several such files in a row.
 */
export class RunBefore {
  readonly #options: RunBeforeOptions;
  readonly #heads = new Map<string, FileHead>();
  /** The open run of which a file is a copy, by path; null: of none. */
  readonly #copied = new Map<string, OpenRun | null>();
  #files: readonly FolderFile[] | null = null;

  constructor(options: RunBeforeOptions) {
    this.#options = options;
  }

  /** Null: the file does not start with a line of a run, or no run fits. */
  async partsWith(file: FolderFile, source: ByteSource): Promise<RunParts | null> {
    const { path } = file;
    if (!(await this.#startsWithLine(source))) return null;
    const open = await this.#openIn(file);
    if (open !== null) return { open, parts: [restIn(path, open)] };
    const others = await this.#othersBeside(file);
    for (const start of await this.#startsBefore(file, others)) {
      const run = await this.#runUpTo(file, start, others);
      if (run !== null) return { open: run.open, parts: [...run.parts, wholeFile(path)] };
    }
    return null;
  }

  /** Whether a new file continues a run that is open in another one. It is a copy then, and will not grow. */
  async continuesOpen(file: FolderFile): Promise<boolean> {
    if (this.#options.open?.length === 0) return false;
    if (await this.isCopy(file)) return true;
    const run = await this.partsWith(file, await openWhole(this.#options.port, file.path));
    return run !== null && run.open !== null;
  }

  /** Whether a file starts with a line of a run. Its first lines nearly always say so; a very long line needs more bytes. */
  async #startsWithLine(source: ByteSource): Promise<boolean> {
    const { recovery } = this.#options.format;
    if (recovery === undefined) return false;
    const usually = recovery.startsWith(...(await headOf(source, keptBytes)));
    if (usually === 'run' || usually === 'line') return usually === 'line';
    return recovery.startsWith(...(await headOf(source))) === 'line';
  }

  /** Whether a file has what was read of an open run: it is a copy, since a renamed log is followed on. */
  async isCopy(file: FolderFile): Promise<boolean> {
    const open = await this.#openIn(file);
    return open !== null && open.path !== file.path;
  }

  /**
   * The blocks of a whole file. An unfinished last line counts, unless it may have been cut: in a copy of a log that is
   * followed, or if another file starts with the end of a line.
   * @param stateOf that of the blocks' reader
   */
  async *blocks(
    file: FolderFile,
    source: AsyncIterable<Block>,
    stateOf: () => ReaderState | null,
  ): AsyncGenerator<Block, void, void> {
    for await (const block of source) {
      const isCut =
        block.holds === 'unfinished-line' &&
        ((await this.isCopy(file)) || (await this.#isCutAtEnd(file, stateOf())));
      yield isCut ? { ...block, holds: 'part-of-line' } : block;
    }
  }

  /** Whether a file's last line goes on at the start of another file. */
  async #isCutAtEnd(file: FolderFile, state: ReaderState | null): Promise<boolean> {
    const { recovery } = this.#options.format;
    if (recovery === undefined || state === null) return false;
    for (const other of await this.#othersBeside(file)) {
      const { bytes, startsWith } = await this.#headOf(other);
      const isRest =
        startsWith === 'line' && recovery.isCutOff(bytes.subarray(0, bytes.indexOf(lineFeed) + 1));
      if (isRest && recovery.gapMs(state, bytes, false) !== null) return true;
    }
    return false;
  }

  /** The other files of the folder but for copies of this one, the newest first of those that are not later than it. */
  async #othersBeside(file: FolderFile): Promise<FolderFile[]> {
    this.#files ??= await this.#options.files();
    const others = this.#files
      .filter(({ path }) => path !== file.path)
      .toSorted((a, b) => Number(isLater(a, file)) - Number(isLater(b, file)) || (isNewer(a, b) ? -1 : 1));
    const tried = file.stat.identity === null ? others.slice(0, mostRemoteFiles) : others;
    return await this.#withoutCopies(tried, file);
  }

  /** Those of these files that do not start as another one does. */
  async #withoutCopies(files: readonly FolderFile[], file: FolderFile): Promise<FolderFile[]> {
    const head = await this.#headOf(file);
    const different: FolderFile[] = [];
    for (const other of files) if (!startAlike(head, await this.#headOf(other))) different.push(other);
    return different;
  }

  /** Where runs start that a file may continue, the newest first: none is older than those in the files before it. */
  async #startsBefore(file: FolderFile, others: readonly FolderFile[]): Promise<RunStart[]> {
    const starts: RunStart[] = [];
    let newest = '';
    for (const other of others) {
      const { header } = await this.#headOf(other);
      if (header !== null && header > newest && isLater(file, other)) newest = header;
      const open = await this.#openIn(other);
      // A copy may go on to later runs than the one that is open.
      const opened = open?.state.header ?? '';
      const latest = header !== null && header > opened ? header : opened;
      if (latest !== '') starts.push({ header: latest, open, file: other });
    }
    const copied = new Set(starts.map(({ open }) => open));
    for (const open of this.#options.open ?? [])
      if (!copied.has(open)) starts.push({ header: open.state.header, open, file: null });
    return starts
      .filter((start) => start.header >= newest && !isRenamed(start))
      .toSorted((a, b) => b.header.localeCompare(a.header));
  }

  /** The run of a start up to a file that continues it; null: that does not. */
  async #runUpTo(file: FolderFile, start: RunStart, others: readonly FolderFile[]): Promise<RunParts | null> {
    const { open } = start;
    let run: ReadRun = {
      open,
      parts: [],
      state: open?.state ?? null,
      unfinished: open && Buffer.of(),
      changedAt: open?.changedAt ?? null,
    };
    let rests: readonly FolderFile[] = [file, ...others];
    let next = start.file ?? (await this.#nextOf(run, rests));
    while (next !== null && next !== file) {
      run = await this.#readOn(run, next);
      rests = await this.#withoutCopies(rests, next);
      next = await this.#nextOf(run, rests);
    }
    return next && run;
  }

  /** The first of the files that may continue a run; none that was changed before it, unless there is no other. */
  async #nextOf(run: ReadRun, files: readonly FolderFile[]): Promise<FolderFile | null> {
    const { recovery } = this.#options.format;
    const found: { file: FolderFile; gapMs: number }[] = [];
    for (const file of files) {
      const { bytes, startsWith } = await this.#headOf(file);
      if (startsWith !== 'line' || run.state === null) continue;
      const gapMs = recovery?.gapMs(run.state, bytes, run.open?.isInSight === true) ?? null;
      if (gapMs !== null) found.push({ file, gapMs });
    }
    const inOrder = found.toSorted(
      (a, b) => Number(isLater(run, a.file)) - Number(isLater(run, b.file)) || a.gapMs - b.gapMs,
    );
    for (const { file } of inOrder) if (!(await this.#isOfOtherDay(run, file))) return file;
    return null;
  }

  /**
   * Whether a file was changed half a day earlier or later than the times of its lines explain: they have no dates, so a
   * file that continues another log may seem to start just after this run.
   */
  async #isOfOtherDay(run: ReadRun, file: FolderFile): Promise<boolean> {
    if (file.changedAt === null || run.changedAt === null) return false;
    const changedMs = file.changedAt - run.changedAt;
    if (Math.abs(changedMs) < dayMs / 2) return false;
    if (changedMs < 0) return true;
    const { state } = await this.#readOn(run, file);
    return changedMs > (state?.lastSeenAt ?? 0) - (run.state?.lastSeenAt ?? 0) + dayMs / 2;
  }

  /** Reads a file after what was read of a run. */
  async #readOn(run: ReadRun, { path, changedAt }: FolderFile): Promise<ReadRun> {
    const { port, format, zone } = this.#options;
    const { open } = run;
    const isCopy = open !== null && this.#copied.get(path) === open;
    const parts = [...run.parts, isCopy ? restIn(path, open) : wholeFile(path)];
    const reader = format.open({ zone, state: run.state });
    // The events are not needed, but reading them moves the reader's clock.
    const onBlock = (block: LogBlock): void => reader.read(block, () => undefined);
    const unfinished = await readPart(port, format, parts.at(-1) as RunPart, run.unfinished, onBlock);
    return { open, parts, state: reader.state(), unfinished, changedAt };
  }

  async #headOf({ path }: FolderFile): Promise<FileHead> {
    const known = this.#heads.get(path);
    if (known !== undefined) return known;
    const { port, format, zone } = this.#options;
    const { parts } = await port.read(path, [{ offset: 0, length: maxLineBytes }]);
    const [bytes = Buffer.of()] = parts;
    const reader = format.open({ zone, state: null });
    reader.read({ bytes }, () => undefined);
    const head = {
      bytes: Buffer.from(bytes.subarray(0, keptBytes)),
      startsWith: format.recovery?.startsWith(bytes, bytes.length < maxLineBytes) ?? 'run',
      header: reader.run?.header ?? null,
    };
    this.#heads.set(path, head);
    return head;
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

/** A file that was renamed instead of copied is finished: the game writes to another one. */
const isRenamed = ({ open, file }: RunStart): boolean =>
  open !== null && file !== null && file.stat.identity !== null && file.stat.identity === open.marks.identity;

/** Whether one of two files may be a copy of the other. */
function startAlike(one: FileHead, other: FileHead): boolean {
  const length = Math.min(one.bytes.length, other.bytes.length);
  return one.bytes.subarray(0, length).equals(other.bytes.subarray(0, length));
}

type Changed = Pick<FolderFile, 'changedAt'>;

/** Whether a file was changed after another one, as far as that is known: a copy and a cut may share a tick of the clock. */
const isLater = (file: Changed, other: Changed): boolean =>
  file.changedAt !== null && other.changedAt !== null && file.changedAt > other.changedAt;
