import { isDeepStrictEqual } from 'node:util';
import {
  type BanByHand,
  type BanWrite,
  deleteBanWrites,
  findBanWrites,
  findBansByHand,
  saveBanWrites,
} from '../../store/repositories/bans/ban-writes.ts';
import { writeBanList } from '../../store/repositories/bans/bans.ts';
import { hasBansOfSource, liftBansOfSource } from '../../store/repositories/bans/source-bans.ts';
import { editBans } from './edit-file.ts';
import { type BanFormat, banFormatOf } from './formats/index.ts';
import { type ListedBanFile, parseBanBytes, readBanBytes } from './read-file.ts';
import { fileErrorCode, SourceError } from '../../files/errors.ts';
import { FileError, type FileStat } from '../../files/file-port.ts';
import { stampOf } from '../../files/file-stamp.ts';

/** The changes of a ban file. */
export interface BanWriteReport {
  listId: string;
  file: string;
  format: BanFormat;
  /** Lines added or rewritten, and removed. */
  written: number;
  removed: number;
  /** Number of bans that could not be written; they are FAILED on the servers that use the file. */
  failed: number;
}

/** `report` if something changed, `problem` while bans cannot be written. */
interface BanWriteResult {
  report?: BanWriteReport;
  problem: string | null;
}

/** The outcomes of writing bans into the file, by the ids of the bans. */
type Writes = ReadonlyMap<number, BanWrite>;

const byBan = (writes: readonly BanWrite[]): Writes => new Map(writes.map((write) => [write.banId, write]));

/** Pause after a failure. */
const retryMs = 10_000;

/** A line of the owner's may expire without a change of the file, so the file is read at least this often. */
const recheckMs = 60_000;

/** Writes the bans made by hand into one ban file. */
export class BanFileWriter {
  readonly #at: ListedBanFile;
  /** File, bans and minute of the last run without changes; the same state needs no changes either. */
  #settled = '';
  #problem: string | null = null;
  #retryAt = -Infinity;

  constructor(at: ListedBanFile) {
    this.#at = at;
  }

  /**
   * Writes the file if it differs.
   * @returns null if it was not attempted
   * @throws when the file could not be read or written; its bans are then FAILED
   */
  async write(): Promise<BanWriteResult | null> {
    if (this.#at.clock.monotonic() < this.#retryAt) return null;
    const bans = await findBansByHand(this.#at.db, this.#at.listId, this.#at.clock.now());
    const before = await this.#writes();
    if (bans.length === 0 && before.size === 0) return { problem: null };
    try {
      return await this.#update(bans, before);
    } catch (error) {
      // Another program is changing the file; the next call tries again.
      if (fileErrorCode(error) === 'ECHANGED') return null;
      if (fileErrorCode(error) === 'ECLOSED') throw error;
      this.#retryAt = this.#at.clock.monotonic() + retryMs;
      const failure =
        error instanceof SourceError
          ? error
          : new SourceError(this.#at.file, writingProblem(error), { cause: error });
      const failed = bans.map(({ banId }) => ({
        banId,
        line: before.get(banId)?.line ?? null,
        error: failure.message,
      }));
      await this.#store(await this.#writes(), failed);
      throw failure;
    }
  }

  async #update(bans: readonly BanByHand[], before: Writes): Promise<BanWriteResult> {
    const { listId, file, format, files, clock } = this.#at;
    const stat = await this.#stat(before);
    const state = JSON.stringify([stat && stampOf(stat), bans, Math.floor(clock.now() / recheckMs)]);
    if (state === this.#settled) return { problem: this.#problem };
    const content = stat === null ? null : await readBanBytes(file, files);
    const bytes = content?.bytes ?? Buffer.from(banFormatOf(format).empty);
    parseBanBytes(file, format, bytes);
    const edits = editBans(format, bytes, bans, before, clock.now());
    const { written, removed } = edits;
    const after = byBan(edits.writes);
    const over = Array.from(before.values()).filter(({ banId }) => !after.has(banId));
    // Stored before the file is written, so that Outpost knows its own lines after a crash, too. An earlier error holds
    // until the file is written.
    const intended = edits.writes.map((write) => ({
      ...write,
      error: write.error ?? before.get(write.banId)?.error ?? null,
    }));
    await this.#store(before, intended);
    // A process that was suspended finds the file changed, and leaves it. In the instant before the file takes its name, it
    // may still replace a newer one: the holder of the lease then writes what is missing there.
    if (edits.bytes !== null) await files.replace(file, edits.bytes, content?.stat ?? null);
    await this.#store(byBan(intended), edits.writes, over, edits.keys);
    // Checked once more after writing, because another program may have overwritten the file.
    this.#settled = edits.bytes === null ? state : '';
    const failures = edits.writes.flatMap(({ error }) => error ?? []);
    const failed = failures.length;
    this.#problem =
      failed === 0
        ? null
        : `${file}: ${failed} ${failed === 1 ? 'ban' : 'bans'} cannot be written: ${[...new Set(failures)].join('; ')}`;
    const problem = this.#problem;
    if (edits.bytes === null) return { problem };
    return { report: { listId, file, format, written, removed, failed }, problem };
  }

  /**
   * The file's state; null: there is none yet. A file that existed before is not created again, because its share may
   * be away.
   */
  async #stat(before: Writes): Promise<FileStat | null> {
    const { db, listId, source, files, file } = this.#at;
    try {
      return await files.stat(file);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const wasWritten = Array.from(before.values()).some(({ line }) => line !== null);
      if (!isMissing || wasWritten || (await hasBansOfSource(db, listId, source, true))) throw error;
      return null;
    }
  }

  async #writes(): Promise<Writes> {
    return byBan(await findBanWrites(this.#at.db, this.#at.listId, this.#at.source));
  }

  /**
   * @param over lines of bans that have ended
   * @param keys of the lines in the file afterwards
   */
  async #store(
    before: Writes,
    writes: readonly BanWrite[],
    over: readonly BanWrite[] = [],
    keys: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const changed = writes.filter((write) => !isDeepStrictEqual(write, before.get(write.banId)));
    if (changed.length + over.length === 0) return;
    const { db, listId, source, clock } = this.#at;
    const ended = over.map(({ banId }) => banId);
    await writeBanList(db, listId, async (tx) => {
      await saveBanWrites(tx, source, changed);
      await deleteBanWrites(tx, source, ended);
      // A line that Outpost removed itself is not missing from the file.
      const gone = over.flatMap(({ line }) => (line === null || keys.has(line.key) ? [] : [line.key]));
      await liftBansOfSource(tx, listId, source, gone, clock.now());
    });
  }
}

/** Why a ban file could not be written, and how to solve it. */
function writingProblem(error: unknown): string {
  // The place cannot do it at all, whatever rights there are; the remedy says what to do.
  if (error instanceof FileError && error.code === 'EROFS' && error.remedy !== null) {
    return `bans cannot be written: ${error.message}`;
  }
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'no such file to write bans into: put it back, or create an empty one if the server has none';
    case 'EACCES':
    case 'EPERM':
    case 'EBUSY':
    case 'EROFS':
      return (
        'bans cannot be written: Outpost needs the right to write this file and to make files in its folder ' +
        '(on Windows the game may hold it open; it is tried again)'
      );
    default:
      return `bans cannot be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}
