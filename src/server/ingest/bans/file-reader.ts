import type { Clock } from '../../../process/clock.ts';
import { banSource } from '../../store/ban-sources.ts';
import { countMissingBans, hasBansOfSource, projectOfBanList } from '../../store/bans.ts';
import { findBansBehindLines } from '../../store/ban-writes.ts';
import type { Database } from '../../store/database.ts';
import { isNotCreatedYet, readBanFile } from './read-file.ts';
import type { BanFile, BanFormat } from './formats/index.ts';
import { type BanFileReport, storeBanFile } from './import.ts';
import { SourceError } from '../errors.ts';
import type { FilePort } from '../files/file-port.ts';
import { SettledFile } from '../files/settled-file.ts';

/** The result of one poll of a ban file; null: the file is being changed, and an earlier problem is still open. */
export type BanFileResult = { report?: BanFileReport; problem?: string } | null;

/** An admin lifts one or two bans at a time; a file that loses more may be truncated. */
export const smallLoss = 2;
/** A larger loss counts once the file has stayed so for this long. */
const largeLossMs = 5 * 60_000;
/** An emptied file counts after this: a crash or a slow save empties a file first. */
const emptiedMs = 10_000;
/** While a loss is doubted, the file is read again this often: it may have been imported meanwhile. */
const readAgainMs = 10_000;

/** A loss that does not count yet. */
interface Doubt {
  stamp: string;
  missing: number;
  since: number;
  readAgainAt: number;
  problem: string;
}

/** Reads one ban file into its list whenever it has changed. */
export class BanFileReader {
  readonly #db: Database;
  readonly #files: FilePort;
  readonly #listId: string;
  readonly #file: string;
  readonly #format: BanFormat;
  readonly #source: string;
  readonly #clock: Clock;
  readonly #settled: SettledFile;
  #doubt: Doubt | null = null;
  #mayWrite = false;
  #isAbsent = false;

  constructor(
    db: Database,
    files: FilePort,
    options: { listId: string; file: string; format: BanFormat; clock: Clock },
  ) {
    this.#db = db;
    this.#files = files;
    this.#listId = options.listId;
    this.#file = options.file;
    this.#format = options.format;
    this.#source = banSource('config', options.format, options.file);
    this.#clock = options.clock;
    this.#settled = new SettledFile(files, options.file);
  }

  /** False while the file is being changed or its content is doubted: writing into it then could lose somebody's lines. */
  get mayWrite(): boolean {
    return this.#mayWrite;
  }

  /** @throws when the file cannot be read or is of another format; its bans stay in force */
  async read(): Promise<BanFileResult> {
    this.#mayWrite = true;
    const hasBans = () => hasBansOfSource(this.#db, this.#listId, this.#source);
    let look;
    try {
      look = await this.#settled.look(async () => !(await hasBans()));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      this.#doubt = null;
      return await this.#absent(await hasBans(), error);
    }
    this.#isAbsent = false;
    this.#mayWrite = look.state === 'read';
    if (look.state !== 'unread') return look.state === 'read' ? {} : null;
    const { stamp } = look;
    if (this.#doubt?.stamp === stamp && this.#clock.monotonic() < this.#doubt.readAgainAt) {
      return { problem: this.#doubt.problem };
    }
    this.#mayWrite = true;
    await projectOfBanList(this.#db, this.#listId);
    const earlier = this.#doubt;
    this.#doubt = null;
    const content = await readBanFile(this.#file, this.#format, this.#files);
    this.#doubt = await this.#doubtOf(content, stamp, earlier);
    this.#mayWrite = this.#doubt === null;
    if (this.#doubt !== null) return { problem: this.#doubt.problem };
    const report = await this.#store(content);
    this.#settled.done(look);
    return { report };
  }

  /** BattlEye makes its file with the first ban: one that was never there is an empty list. */
  async #absent(hasBans: boolean, error: unknown): Promise<BanFileResult> {
    if (hasBans) {
      throw new SourceError(
        this.#file,
        'no such file; its bans stay in force: put it back, or an empty one in its place to lift them all',
        { cause: error },
      );
    }
    if (!(await isNotCreatedYet(this.#file, this.#files))) {
      throw new SourceError(this.#file, 'no such file, and no such folder: check the path', { cause: error });
    }
    if (this.#isAbsent) return {};
    const report = await this.#store({ entries: [], ipBans: 0, unread: 0, blank: true });
    this.#isAbsent = true;
    return { report };
  }

  async #store(content: BanFile): Promise<BanFileReport> {
    return await storeBanFile(this.#db, {
      listId: this.#listId,
      file: this.#file,
      format: this.#format,
      content,
      origin: 'config',
      now: this.#clock.now,
    });
  }

  async #doubtOf({ entries, blank }: BanFile, stamp: string, earlier: Doubt | null): Promise<Doubt | null> {
    const { now, monotonic } = this.#clock;
    // Outpost writes its own lines again, for example after the game saved its list over the file.
    const own = blank ? [] : await findBansBehindLines(this.#db, this.#listId, this.#source);
    const keys = new Set([...own, ...entries].map(({ key }) => key));
    const { missing, inForce } = await countMissingBans(this.#db, this.#listId, this.#source, keys, now());
    const waitMs = missing > smallLoss ? largeLossMs : blank && missing > 0 ? emptiedMs : 0;
    if (waitMs === 0) return null;
    const readAgainAt = monotonic() + Math.min(waitMs, readAgainMs);
    // A file that grows back, or shrinks on, is not one that has stayed so.
    if (earlier?.missing === missing) {
      return monotonic() - earlier.since >= waitMs ? null : { ...earlier, stamp, readAgainAt };
    }
    const believedAt = new Date(now() + waitMs).toISOString().slice(11, 19);
    const problem =
      `${this.#file}: missing from the file: ${missing} of ${inForce} bans. They stay in force until the file has ` +
      `stayed so for ${waitMs / 60_000 >= 1 ? `${waitMs / 60_000} minutes` : `${waitMs / 1000} seconds`} ` +
      `(${believedAt} UTC). To lift them now: outpost import bans --banlist ${this.#listId} --format ${this.#format} ` +
      `"${this.#file}". If the file was damaged, put it back.`;
    return { stamp, missing, since: monotonic(), readAgainAt, problem };
  }
}
