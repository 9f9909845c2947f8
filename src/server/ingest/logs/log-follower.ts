import { basename } from 'node:path';
import { derivations } from '../../store/derivations.ts';
import type { LogFile } from '../../store/log-files.ts';
import { fileErrorCode, SourceError } from '../errors.ts';
import { readBlocks, readBytes } from '../files/blocks.ts';
import { type FileMarks, hasMarks, markRanges, readMarks } from '../files/file-marks.ts';
import type { FileStat } from '../files/file-port.ts';
import { PortFile } from '../files/port-file.ts';
import { storedCheckpoint } from './checkpoint.ts';
import type { FollowContext } from './follow-context.ts';
import type { LogFormat } from './log-format.ts';
import { LogReading, type ReadingState } from './log-reading.ts';
import { headOf, isCurrent, stateToGoOn } from './resume-file.ts';

/** What a poll of a followed file has brought. */
export interface FollowedChanges {
  lines: number;
  unreadLines: number;
  /** What happened to the file that its owner may want to know. */
  remarks: string[];
}

/** So much of a file is read between two transactions. */
const partBytes = 4 * 1024 * 1024;
/** Sessions that go on are counted up to the last moment seen so often, and whenever the log stands still. */
const countEveryMs = 30_000;

/**
 * Follows one file of a server's logs from where it was left. What it reads goes to the writer together with how far
 * that is. After an error, its own or the writer's, it is of no more use: another one, made from the store, goes on.
 */
export class LogFollower {
  path: string;
  /** Polls in a row that found nothing new. */
  quietPolls = 0;
  /** It was read to its end; nothing more is expected of it. */
  isFinished = false;
  readonly format: LogFormat;
  readonly #context: FollowContext;
  readonly #reading: LogReading;
  /** As the writer has it; null: nothing was handed over yet. */
  #stored: LogFile | null;
  #marks: FileMarks | null;
  #position: number;
  #skipping: boolean;
  /** Bytes read that were not handed over yet. */
  #unstored = 0;
  #hasRestarted = false;
  /** Lines that were read of what the file held before it was emptied or replaced. */
  #linesBefore = { lines: 0, unreadLines: 0 };
  /** Lines that were read up to the latest part that was handed over. */
  #reported: { lines: number; unreadLines: number };
  /** Whether the file ends in a line that has not ended and is none of such a log. */
  #hasForeignTail = false;
  /** The file's size and time at the latest poll. */
  #stamp: string;
  #countedAt = Number.NEGATIVE_INFINITY;

  /** @param stored the file as the store knows it; it is gone on with where that is possible (`stateToGoOn`) */
  static async open(
    context: FollowContext,
    format: LogFormat,
    path: string,
    stored: LogFile | null,
  ): Promise<LogFollower> {
    const left = stored === null ? null : await stateToGoOn(context, format, path, stored);
    return new LogFollower(context, format, path, stored, left);
  }

  private constructor(
    context: FollowContext,
    format: LogFormat,
    path: string,
    stored: LogFile | null,
    left: { state: ReadingState; marks: FileMarks } | null,
  ) {
    this.#context = context;
    this.format = format;
    this.path = path;
    this.#stored = stored;
    this.#position = left === null ? 0 : (stored?.position ?? 0);
    this.#skipping = left === null ? false : (stored?.skipping ?? false);
    this.#marks = left?.marks ?? null;
    const isToBeReadAgain =
      stored !== null && left === null && (stored.checkpoint !== null || !isCurrent(format, stored));
    this.#stamp = isToBeReadAgain ? '' : (stored?.stamp ?? '');
    this.#reading = new LogReading(format, { zone: context.zone, left: left?.state ?? null });
    this.#reported = { lines: this.#reading.lines, unreadLines: this.#reading.unreadLines };
  }

  /** The file as the writer has it. */
  get stored(): LogFile | null {
    return this.#stored;
  }

  /** Header of the run under way. */
  get header(): string | null {
    return this.#reading.header;
  }

  /** Whether what was read of the file is no such log. */
  get isForeign(): boolean {
    return this.#reading.content === 'other' || this.#hasForeignTail;
  }

  /**
   * Reads what has come since the last poll.
   * @param stat the file's state
   * @param copies other files of the folder, of which one may be a copy that was made before this one was emptied
   * @throws whatever keeps the file from being read or the store from being written
   */
  async poll(stat: FileStat, copies: readonly string[], signal?: AbortSignal): Promise<FollowedChanges> {
    const changes = noChanges();
    const stamp = logStamp(stat);
    // A file that is no log is looked into each time: it may have been replaced by one of the same size.
    if (stamp === this.#stamp && !this.isForeign) {
      this.quietPolls += 1;
      if (this.#reading.isBehind) await this.#handOver(changes, null, stamp, true);
      return changes;
    }
    const file = await this.#open(this.path);
    if (this.#marks !== null && !(await hasMarks(file, this.#marks))) {
      if (!(await this.#beginAnew(file, copies, changes))) {
        if (this.#reading.isBehind) await this.#handOver(changes, null, stamp, true);
        return changes;
      }
    }
    const isUnchanged = await this.#read(file, async () => {
      if (this.#unstored >= partBytes) {
        // Without the stamp: there is more to be read.
        await this.#handOver(changes, file, '', false);
        await this.#context.writer.storeAndGoOn();
      }
      const name = basename(this.path);
      this.#context.onProgress({ name, bytesDone: this.#position, bytesTotal: stat.size });
      return signal?.aborted !== true;
    });
    this.quietPolls = isUnchanged ? this.quietPolls + 1 : 0;
    if (this.#unstored > 0 || this.#hasRestarted) await this.#handOver(changes, file, stamp);
    if (signal?.aborted !== true) this.#stamp = stamp;
    return changes;
  }

  /** Whether a file is this one under another name. */
  async isCopiedIn(path: string): Promise<boolean> {
    if (this.#marks === null) return false;
    const file = await PortFile.open(this.#context.port, path, markRanges(this.#marks.position));
    return await hasMarks(file, this.#marks);
  }

  /** Whether another file has the name by now, or none has. */
  async hasLostName(): Promise<boolean> {
    try {
      const file = await this.#open(this.path);
      if (this.#marks !== null && (await hasMarks(file, this.#marks))) return false;
      const { recovery } = this.format;
      return recovery === undefined || recovery.beginning(...(await headOf(file))) === 'run';
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return true;
      throw error;
    }
  }

  /** Goes on under another name. */
  rename(path: string): void {
    this.path = path;
    if (this.#stored !== null) this.#stored = { ...this.#stored, path };
    this.#stamp = '';
  }

  /** Reads the file's last line even though it has not ended, since none will come after it, and ends the run. */
  async finish(): Promise<FollowedChanges> {
    const changes = noChanges();
    this.isFinished = true;
    const file = await this.#open(this.path);
    if (this.#marks === null || !(await hasMarks(file, this.#marks))) return changes;
    await this.#read(file, async () => true, true);
    if (this.format.holds === 'runs') this.#reading.restart();
    await this.#handOver(changes, file, logStamp(file.stat), true);
    return changes;
  }

  /** Opens a file with what a poll needs: how it is known again, and what comes after that. */
  async #open(path: string): Promise<PortFile> {
    const position = this.#marks?.position ?? 0;
    const ranges = position === 0 ? [{ offset: 0, length: 0 }] : markRanges(position);
    const last = ranges.at(-1);
    if (last !== undefined) last.length += readBytes;
    return await PortFile.open(this.#context.port, path, ranges);
  }

  /**
   * Reads whole lines to the end of the file, as long as `more` wants.
   * @param toTheEnd whether to read a line that has not ended, too
   * @returns whether there was nothing to read
   */
  async #read(file: PortFile, more: () => Promise<boolean>, toTheEnd = false): Promise<boolean> {
    const from = this.#position;
    this.#hasForeignTail = false;
    for await (const block of readBlocks(file, { position: from, skipping: this.#skipping })) {
      if (block.unfinished && !toTheEnd) {
        const { recovery } = this.format;
        this.#hasForeignTail =
          recovery !== undefined && this.#reading.state() === null && !recovery.canBegin(block.bytes);
        break;
      }
      this.#reading.read(block);
      this.#unstored += block.bytes.length;
      this.#position = block.end;
      this.#skipping = !block.lines && block.bytes.at(-1) !== lineFeed;
      if (!(await more())) break;
    }
    return this.#position === from;
  }

  /**
   * The file is no longer the one that was read: it was emptied, cut or replaced.
   * @returns false as long as too little of it is there to tell how it goes on
   */
  async #beginAnew(file: PortFile, copies: readonly string[], changes: FollowedChanges): Promise<boolean> {
    const { recovery } = this.format;
    const head = await headOf(file);
    const beginning = recovery?.beginning(...head) ?? (head[0].length === 0 ? 'too-short' : 'run');
    if (beginning === 'too-short') return false;
    const left = this.#reading.state();
    if (beginning === 'line' && left !== null && recovery?.follows(...head, left.state) === true) {
      // Emptied under the running game, which does not notice: the run goes on, after what a copy may still have.
      for (const copy of copies) if (await this.#readCopy(copy)) break;
      changes.remarks.push('was emptied while the game writes it; its run goes on');
    } else {
      this.#reading.restart();
      changes.remarks.push('was replaced; it is read from its beginning');
    }
    this.#linesBefore = { lines: this.#reading.lines, unreadLines: this.#reading.unreadLines };
    this.#position = 0;
    this.#skipping = false;
    this.#marks = null;
    this.#hasRestarted = true;
    return true;
  }

  async #readCopy(path: string): Promise<boolean> {
    if (path === this.path || !(await this.isCopiedIn(path))) return false;
    await this.#read(await this.#open(path), async () => true);
    return true;
  }

  /** Hands what was read to the writer, and stores it when that is enough for a transaction. */
  async #handOver(
    changes: FollowedChanges,
    source: PortFile | null,
    stamp: string,
    whole = this.#context.monotonic() - this.#countedAt >= countEveryMs,
  ): Promise<void> {
    if (whole) this.#countedAt = this.#context.monotonic();
    if (source !== null) {
      this.#marks = await readMarks(source, this.#position);
      if (this.#marks === null) throw new SourceError(this.path, 'was cut while it was read');
    }
    const { writer, timezone, onStored } = this.#context;
    const reading = this.#reading;
    const part = reading.take(whole);
    const left = reading.state();
    const { path } = this;
    const file: LogFile = {
      path,
      stamp,
      position: this.#position,
      skipping: this.#skipping,
      marks: this.#marks,
      lines: reading.lines - this.#linesBefore.lines,
      unreadLines: reading.unreadLines - this.#linesBefore.unreadLines,
      examples: reading.examples,
      lastEventAt: reading.lastEventAt,
      checkpoint: left && storedCheckpoint({ ...left, timezone }),
      versions: {
        counts: derivations.counts,
        // What is read again for identities is read beside the following, which does not know how far that is.
        identities: this.#stored === null ? derivations.identities : 0,
      },
    };
    writer.add({
      fileName: basename(path),
      changes: part,
      file: { now: file, former: this.#stored },
      onStored: (header, outcome) => onStored(path, header, outcome),
    });
    this.#unstored = 0;
    this.#hasRestarted = false;
    changes.lines += reading.lines - this.#reported.lines;
    changes.unreadLines += reading.unreadLines - this.#reported.unreadLines;
    this.#reported = { lines: reading.lines, unreadLines: reading.unreadLines };
    this.#stored = file;
    await writer.storeIfFull();
  }
}

/** By which a log that has not changed is passed over. */
export function logStamp({ size, changedAt }: FileStat): string {
  return `${size} ${changedAt}`;
}

const noChanges = (): FollowedChanges => ({ lines: 0, unreadLines: 0, remarks: [] });

const lineFeed = 0x0a;
