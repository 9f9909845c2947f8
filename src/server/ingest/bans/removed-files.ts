import type { Clock } from '../../../process/clock.ts';
import { banSource, configPrefix } from '../../store/repositories/bans/ban-sources.ts';
import { forgetFailures } from '../../store/repositories/bans/ban-writes.ts';
import { writeBanList } from '../../store/repositories/bans/bans.ts';
import { findBanSources, liftSource } from '../../store/repositories/bans/source-bans.ts';
import type { Database } from '../../store/engine/database.ts';
import type { PollResult } from '../problem-log.ts';
import type { BanFormat } from './formats/index.ts';
import type { BanFileReport } from './import.ts';
import type { BanSource } from './read-file.ts';

export interface BanListFiles {
  id: string;
  sources: readonly BanSource[];
}

/** A file that the config no longer names for a list, with bans in force. */
interface RemovedBanFile {
  source: string;
  format: BanFormat;
  file: string;
}

/** Lifts the bans of files that the config no longer names for a list. */
export class RemovedBanFiles {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #list: BanListFiles;
  #areLifted = false;

  constructor(db: Database, clock: Clock, list: BanListFiles) {
    this.#db = db;
    this.#clock = clock;
    this.#list = list;
  }

  /** Whether nothing is left to lift. */
  get areLifted(): boolean {
    return this.#areLifted;
  }

  /**
   * To be called after the list's files were read, so that a player who moved from one file to another stays banned.
   * @param attempt lifts the bans of one file; an error is not to stop the others
   */
  async lift<Outcome>(
    attempt: (path: string, lift: () => Promise<PollResult<BanFileReport>>) => Promise<Outcome[]>,
  ): Promise<Outcome[]> {
    const { id, sources } = this.#list;
    const named = sources.map((one) => ({ ...one, source: sourceOf(one) }));
    const writable = named.filter(({ write }) => write === true);
    await forgetFailures(
      this.#db,
      id,
      writable.map(({ source }) => source),
    );
    const kept = new Set(named.map(({ source }) => source));
    const removed = (await findBanSources(this.#db, id, configPrefix)).filter((source) => !kept.has(source));
    const outcomes: Outcome[] = [];
    let left = removed.length;
    for (const source of removed) {
      const [, format, ...path] = source.split(':');
      const file = { source, format: format as BanFormat, file: path.join(':') };
      const lift = async (): Promise<PollResult<BanFileReport>> => {
        const report = await liftRemovedBanFile(this.#db, id, file, this.#clock.now);
        left -= 1;
        return { report };
      };
      outcomes.push(...(await attempt(file.file, lift)));
    }
    this.#areLifted = left === 0;
    return outcomes;
  }
}

const sourceOf = ({ format, file, filesOf }: BanSource): string => banSource('config', format, file, filesOf);

/** Lifts the bans of a file that the config no longer names. */
export async function liftRemovedBanFile(
  db: Database,
  listId: string,
  { source, format, file }: RemovedBanFile,
  now: () => number = Date.now,
): Promise<BanFileReport> {
  const lifted = await writeBanList(db, listId, async (tx) => await liftSource(tx, listId, source, now()));
  const none = { entries: 0, ipBans: 0, unread: 0, added: 0, updated: 0, unchanged: 0 };
  return { listId, file, format, ...none, lifted };
}
