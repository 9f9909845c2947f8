import type { Clock } from '../../../process/clock.ts';
import { banSource } from '../../store/ban-sources.ts';
import { countMissingBans, hasBansOfSource, projectOfBanList } from '../../store/bans.ts';
import { findBansBehindLines } from '../../store/ban-writes.ts';
import type { Database } from '../../store/database.ts';
import { isNotThereYet, readBanFile } from './ban-file.ts';
import type { BanFile, BanFormat } from './ban-formats.ts';
import { type BanFileReport, storeBanFile } from './bans.ts';
import { SourceError } from '../errors.ts';
import type { FilePort } from '../files/file-port.ts';
import { SettledFile } from '../files/settled-file.ts';

/** What one poll of a ban file came to; null: it is being changed just now, and a problem stands as it was. */
export type BanReading = { report?: BanFileReport; problem?: string } | null;

/** So many bans may leave a file at once, as when an admin lifts one; more is what a truncated file looks like. */
export const smallLoss = 2;
/** A larger loss counts once the file has stayed so. */
const largeLossMs = 5 * 60_000;
/** So does any loss that leaves not one byte: a crash or a slow save empties a file first. */
const emptiedMs = 10_000;
/** While a loss is doubted, the file is read again so often: somebody may have imported it meanwhile. */
const readAgainMs = 10_000;

/** A loss that is not believed yet. */
interface Doubt {
  stamp: string;
  missing: number;
  since: number;
  readAgainAt: number;
  problem: string;
}

/** Reads one ban file into its list whenever it has changed. */
export class BanReader {
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
  async read(): Promise<BanReading> {
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
    const former = this.#doubt;
    this.#doubt = null;
    const content = await readBanFile(this.#file, this.#format, this.#files);
    this.#doubt = await this.#doubtOf(content, stamp, former);
    this.#mayWrite = this.#doubt === null;
    if (this.#doubt !== null) return { problem: this.#doubt.problem };
    const report = await this.#store(content);
    this.#settled.done(look);
    return { report };
  }

  /** BattlEye makes its file with the first ban: one that was never there is an empty list. */
  async #absent(hasBans: boolean, error: unknown): Promise<BanReading> {
    if (hasBans) {
      throw new SourceError(
        this.#file,
        'no such file; its bans stay in force: put it back, or an empty one in its place to lift them all',
        { cause: error },
      );
    }
    if (!(await isNotThereYet(this.#file, this.#files))) {
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

  async #doubtOf({ entries, blank }: BanFile, stamp: string, former: Doubt | null): Promise<Doubt | null> {
    const { now, monotonic } = this.#clock;
    // What Outpost wrote it writes again, as when the game saves its own list over the file.
    const own = blank ? [] : await findBansBehindLines(this.#db, this.#listId, this.#source);
    const keys = new Set([...own, ...entries].map(({ key }) => key));
    const { missing, inForce } = await countMissingBans(this.#db, this.#listId, this.#source, keys, now());
    const waitMs = missing > smallLoss ? largeLossMs : blank && missing > 0 ? emptiedMs : 0;
    if (waitMs === 0) return null;
    const readAgainAt = monotonic() + Math.min(waitMs, readAgainMs);
    // A file that grows back, or shrinks on, is not one that has stayed so.
    if (former?.missing === missing) {
      return monotonic() - former.since >= waitMs ? null : { ...former, stamp, readAgainAt };
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
