import { SettledFile } from 'game-files';
import { projectOfBanList } from '../../store/repositories/bans/bans.ts';
import { countMissingBans, hasBansOfSource } from '../../store/repositories/bans/source-bans.ts';
import { isNotCreatedYet, type ListedBanFile, readBanFile } from './read-file.ts';
import type { BanFile } from 'dayz-files';
import { type BanFileReport, storeBanFile } from './import.ts';
import { SourceError } from '../../files/errors.ts';
import { count } from '../../../process/count.ts';

/** The result of one poll of a ban file; null: the file is being changed, and an earlier problem is still open. */
type BanFileResult = { report?: BanFileReport; problem?: string } | null;

/** An admin lifts one or two bans at a time; a file that loses more may be truncated. */
export const smallLoss = 2;
/** A larger loss takes effect after the file has been unchanged for this long. */
const largeLossMs = 5 * 60_000;
/** An emptied file takes effect after this time: a crash or a slow save empties a file first. */
const emptiedMs = 10_000;
/** While a loss has not taken effect, the file is read again this often: it may have been imported meanwhile. */
const readAgainMs = 10_000;

/** A loss that has not taken effect yet. */
interface Doubt {
  stamp: string;
  missing: number;
  since: number;
  readAgainAt: number;
  problem: string;
}

/** Reads one ban file into its list whenever it has changed. */
export class BanFileReader {
  readonly #at: ListedBanFile;
  readonly #settled: SettledFile;
  #doubt: Doubt | null = null;
  #isAbsent = false;

  constructor(at: ListedBanFile) {
    this.#at = at;
    this.#settled = new SettledFile(at.files, at.file);
  }

  /** @throws when the file cannot be read or is of another format; its bans stay in force */
  async read(): Promise<BanFileResult> {
    const hasBans = () => hasBansOfSource(this.#at.db, this.#at.listId, this.#at.source);
    let polled;
    try {
      polled = await this.#settled.poll(async () => !(await hasBans()));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      this.#doubt = null;
      return await this.#absent(await hasBans(), error);
    }
    this.#isAbsent = false;
    if (polled.state !== 'unread') return polled.state === 'read' ? {} : null;
    const { stamp } = polled;
    if (this.#doubt?.stamp === stamp && this.#at.clock.monotonic() < this.#doubt.readAgainAt) {
      return { problem: this.#doubt.problem };
    }
    await projectOfBanList(this.#at.db, this.#at.listId);
    const earlier = this.#doubt;
    this.#doubt = null;
    const content = await readBanFile(this.#at.file, this.#at.format, this.#at.files);
    this.#doubt = await this.#doubtOf(content, stamp, earlier);
    if (this.#doubt !== null) return { problem: this.#doubt.problem };
    const report = await this.#store(content);
    this.#settled.done(polled);
    return { report };
  }

  /** BattlEye creates its file with the first ban, so a file that has never existed is an empty list. */
  async #absent(hasBans: boolean, error: unknown): Promise<BanFileResult> {
    if (hasBans) {
      throw new SourceError(
        this.#at.file,
        'no such file; its bans stay in force: put it back, or an empty one in its place to lift them all',
        { cause: error },
      );
    }
    if (!(await isNotCreatedYet(this.#at.file, this.#at.files))) {
      throw new SourceError(this.#at.file, 'no such file, and no such folder: check the path', {
        cause: error,
      });
    }
    if (this.#isAbsent) return {};
    const report = await this.#store({ entries: [], ipBans: 0, unread: 0, blank: true });
    this.#isAbsent = true;
    return { report };
  }

  async #store(content: BanFile): Promise<BanFileReport> {
    const { db, clock } = this.#at;
    return await storeBanFile(db, { ...this.#at, content, origin: 'config', now: clock.now });
  }

  async #doubtOf({ entries, blank }: BanFile, stamp: string, earlier: Doubt | null): Promise<Doubt | null> {
    const { db, listId, source } = this.#at;
    const { now, monotonic } = this.#at.clock;
    const keys = new Set(entries.map(({ key }) => key));
    const { missing, inForce } = await countMissingBans(db, listId, source, keys, now());
    const waitMs = missing > smallLoss ? largeLossMs : blank && missing > 0 ? emptiedMs : 0;
    if (waitMs === 0) return null;
    const readAgainAt = monotonic() + Math.min(waitMs, readAgainMs);
    // If more or fewer bans are missing than before, the time starts again.
    if (earlier?.missing === missing) {
      return monotonic() - earlier.since >= waitMs ? null : { ...earlier, stamp, readAgainAt };
    }
    const believedAt = new Date(now() + waitMs).toISOString().slice(11, 19);
    const problem =
      `${this.#at.file}: missing from the file: ${missing} of ${inForce} bans. They stay in force until the file has ` +
      `stayed so for ${waitMs / 60_000 >= 1 ? count(waitMs / 60_000, 'minute') : count(waitMs / 1000, 'second')} ` +
      `(${believedAt} UTC).${this.#waysToLift()} If the file was damaged, put it back.`;
    return { stamp, missing, since: monotonic(), readAgainAt, problem };
  }

  /** A remote file cannot be imported by its path. */
  #waysToLift(): string {
    const { listId, file, filesOf, format } = this.#at;
    if (filesOf !== undefined) return '';
    return ` To lift them now: outpost import bans --banlist ${listId} --format ${format} "${file}".`;
  }
}
