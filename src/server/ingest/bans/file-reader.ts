import type { BanFile } from 'dayz-files';
import { type FileAccess, SettledFile } from 'game-files';
import type { Clock } from '../../../process/clock.ts';
import { count } from '../../../process/count.ts';
import { SourceError } from '../../files/errors.ts';
import type { Database } from '../../store/engine/database.ts';
import { projectOfBanList } from '../../store/repositories/bans/bans.ts';
import { countMissingBans, hasBansOfSource } from '../../store/repositories/bans/source-bans.ts';
import type { BanListFile } from '../follower/sources.ts';
import { type BanFileReport, storeBanFile } from './import.ts';
import { isNotCreatedYet, readBanFile } from './read-ban-file.ts';
import { sourceOf } from './removed-files.ts';

/** The result of one poll of a ban file; null: the file is being changed, and an earlier problem is still open. */
type BanFileResult = { report?: BanFileReport; problem?: string } | null;

/** An admin lifts one or two bans at a time; a file that loses more may be truncated. */
export const smallLoss = 2;
/** A larger loss takes effect after the file has been unchanged for this long. */
const largeLossMs = 5 * 60_000;
/** An emptied file takes effect after this time: a crash or a slow save empties a file first. */
const emptiedMs = 10_000;
/** While a loss is pending, the file is read again this often: an import of it may have lifted the bans meanwhile. */
const readAgainMs = 10_000;

/** Bans that are missing from the file and still in force. Times are of the monotonic clock. */
interface PendingLoss {
  stamp: string;
  missing: number;
  since: number;
  readAgainAt: number;
  problem: string;
}

interface BanFileAccess {
  db: Database;
  clock: Clock;
  files: FileAccess;
}

/**
 * Reads one ban file into its list whenever it has changed. At a poll, the file is
 * - **absent**: an empty list if it had no bans and its folder exists, else an error;
 * - **unread**: it is stored, or lacks so many bans that this loss is pending until it has lasted;
 * - in another state of `SettledFile`: it is not opened.
 */
export class BanFileReader {
  readonly #options: BanListFile & BanFileAccess;
  readonly #source: string;
  readonly #settled: SettledFile;
  #pendingLoss: PendingLoss | null = null;
  #isAbsent = false;

  constructor(source: BanListFile, access: BanFileAccess) {
    this.#options = { ...source, ...access };
    this.#source = sourceOf(source);
    this.#settled = new SettledFile(access.files, source.file);
  }

  /** @throws when the file cannot be read or is of another format; its bans stay in force */
  async read(): Promise<BanFileResult> {
    const { db, clock, id, file, format, files } = this.#options;
    const hasBans = () => hasBansOfSource(db, id, this.#source);
    let polled;
    try {
      polled = await this.#settled.poll(async () => !(await hasBans()));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      this.#pendingLoss = null;
      return await this.#absent(await hasBans(), error);
    }
    this.#isAbsent = false;
    if (polled.state !== 'unread') return polled.state === 'read' ? {} : null;
    const { stamp } = polled;
    const earlier = this.#pendingLoss;
    if (earlier?.stamp === stamp && clock.monotonic() < earlier.readAgainAt) {
      return { problem: earlier.problem };
    }
    await projectOfBanList(db, id);
    this.#pendingLoss = null;
    const content = await readBanFile(file, format, files);
    this.#pendingLoss = await this.#pendingLossOf(content, stamp, earlier);
    if (this.#pendingLoss !== null) return { problem: this.#pendingLoss.problem };
    const report = await this.#store(content);
    this.#settled.done(polled);
    return { report };
  }

  /** BattlEye creates its file with the first ban, so a file that has never existed is an empty list. */
  async #absent(hasBans: boolean, cause: unknown): Promise<BanFileResult> {
    const { file, files } = this.#options;
    if (hasBans) {
      const problem =
        'no such file; its bans stay in force: put it back, or an empty one in its place to lift them all';
      throw new SourceError(file, problem, { cause });
    }
    if (!(await isNotCreatedYet(file, files))) {
      throw new SourceError(file, 'no such file, and no such folder: check the path', { cause });
    }
    if (this.#isAbsent) return {};
    const report = await this.#store({ entries: [], ipBans: 0, unread: 0, blank: true });
    this.#isAbsent = true;
    return { report };
  }

  async #store(content: BanFile): Promise<BanFileReport> {
    const { db, clock, id, file, filesOf, format } = this.#options;
    const { now } = clock;
    return await storeBanFile(db, { listId: id, file, filesOf, format, content, origin: 'config', now });
  }

  async #pendingLossOf(
    { entries, blank }: BanFile,
    stamp: string,
    earlier: PendingLoss | null,
  ): Promise<PendingLoss | null> {
    const { db, id } = this.#options;
    const { now, monotonic } = this.#options.clock;
    const keys = new Set(entries.map(({ key }) => key));
    const { missing, inForce } = await countMissingBans(db, id, this.#source, keys, now());
    const waitMs = missing > smallLoss ? largeLossMs : blank && missing > 0 ? emptiedMs : 0;
    if (waitMs === 0) return null;
    const readAgainAt = monotonic() + readAgainMs;
    // If more or fewer bans are missing than before, the time starts again.
    if (earlier?.missing === missing) {
      return monotonic() - earlier.since >= waitMs ? null : { ...earlier, stamp, readAgainAt };
    }
    const believedAt = new Date(now() + waitMs).toISOString().slice(11, 19);
    const problem =
      `${this.#options.file}: missing from the file: ${missing} of ${inForce} bans. They stay in force until the file has ` +
      `stayed so for ${waitMs / 60_000 >= 1 ? count(waitMs / 60_000, 'minute') : count(waitMs / 1000, 'second')} ` +
      `(${believedAt} UTC).${this.#waysToLift()} If the file was damaged, put it back.`;
    return { stamp, missing, since: monotonic(), readAgainAt, problem };
  }

  /** A remote file cannot be imported by its path. */
  #waysToLift(): string {
    const { id, file, filesOf, format } = this.#options;
    if (filesOf !== undefined) return '';
    return ` To lift them now: outpost import bans --banlist ${id} --format ${format} "${file}".`;
  }
}
