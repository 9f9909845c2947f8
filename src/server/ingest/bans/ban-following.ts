import { type Clock, systemClock } from '../../../process/clock.ts';
import { banSource } from '../../store/ban-sources.ts';
import { forgetFailures } from '../../store/ban-writes.ts';
import type { Database } from '../../store/database.ts';
import type { BanFormat } from './ban-formats.ts';
import { BanReader } from './ban-reading.ts';
import { type BanFileReport, findLeftBanFiles, liftLeftBanFile } from './bans.ts';
import { type BanWriteReport, BanWriter, type BanWriteResult } from './ban-writing.ts';
import { directPort } from '../files/direct-files.ts';
import type { FilePort } from '../files/file-port.ts';
import { type PollResult, type ProblemChange, ProblemLog } from '../problem-log.ts';

/** A ban list of the config with its files. */
export interface FollowedBanList {
  id: string;
  sources: readonly { file: string; format: BanFormat; write?: boolean }[];
}

/**
 * What changed about a ban file: `bans` was read, `banWrites` was written. A problem is reported once; `keptBans` says that it
 * is the loss of most bans, which is not believed yet.
 */
export type BanOutcome = { id: string; path: string } & ProblemChange &
  (
    { kind: 'bans'; report?: BanFileReport; keptBans?: true } | { kind: 'banWrites'; report?: BanWriteReport }
  );

/** Follows the ban files of lists, and writes into those that the config allows. */
export interface BanFollower {
  /**
   * Reads a file of a list when it has changed, and writes bans made by hand into it. To be called every second or two.
   * Never throws for a file; a file that cannot be read keeps the bans it had.
   */
  follow(listId: string, source: FollowedBanList['sources'][number]): Promise<BanOutcome[]>;
  /**
   * Lifts the bans of files that the config no longer names for a list. To be called when the list's files have been
   * read, so that whoever moved from one file to another is banned throughout.
   */
  liftLeft(list: FollowedBanList): Promise<BanOutcome[]>;
}

/** @param filesOf the port to a list's file */
export function createBanFollower(
  db: Database,
  clock: Clock = systemClock,
  filesOf: (listId: string, file: string) => FilePort = () => directPort,
): BanFollower {
  const readers = new Map<string, BanReader>();
  const writers = new Map<string, BanWriter>();
  const problems = new ProblemLog();
  /** The files that the config named for a list when what it no longer names was last lifted. */
  const listedBefore = new Map<string, string>();

  async function attempt<Kind extends BanOutcome['kind'], Report>(
    source: { kind: Kind; id: string; path: string },
    work: () => Promise<PollResult<Report> | null>,
  ) {
    const change = await problems.attempt(JSON.stringify(source), work);
    return change === null ? [] : [{ ...source, ...change }];
  }

  const keyOf = (listId: string, { file, format }: FollowedBanList['sources'][number]): string =>
    `${listId} ${banSource('config', format, file)}`;

  const readerOf = (listId: string, source: FollowedBanList['sources'][number]): BanReader =>
    known(
      readers,
      keyOf(listId, source),
      () => new BanReader(db, filesOf(listId, source.file), { listId, ...source, clock }),
    );

  async function write(
    listId: string,
    source: FollowedBanList['sources'][number],
  ): Promise<BanWriteResult | null> {
    const make = () => new BanWriter(db, filesOf(listId, source.file), { listId, ...source, clock });
    return await known(writers, keyOf(listId, source), make).write();
  }

  return {
    async follow(id, source) {
      const { file: path } = source;
      const reader = readerOf(id, source);
      let isKept = false;
      const read = await attempt({ kind: 'bans', id, path }, async () => {
        const reading = await reader.read();
        isKept = (reading?.problem ?? null) !== null;
        return reading;
      });
      const outcomes: BanOutcome[] = isKept ? read.map((one) => ({ ...one, keptBans: true })) : read;
      if (source.write !== true || !reader.mayWrite) return outcomes;
      return [...outcomes, ...(await attempt({ kind: 'banWrites', id, path }, () => write(id, source)))];
    },

    /** Does something only when the config names other ban files than before: nothing else makes one leave. */
    async liftLeft({ id, sources }) {
      const listed = sources.map(({ file, format, write }) => ({
        source: banSource('config', format, file),
        write,
      }));
      const text = JSON.stringify(listed);
      if (text === listedBefore.get(id)) return [];
      const keys = new Set(listed.map(({ source }) => `${id} ${source}`));
      // A file that comes back is read again.
      for (const key of readers.keys()) if (key.startsWith(`${id} `) && !keys.has(key)) readers.delete(key);
      const writable = listed.filter(({ write }) => write === true);
      await forgetFailures(
        db,
        id,
        writable.map(({ source }) => source),
      );
      const outcomes: BanOutcome[] = [];
      let standing = 0;
      for (const left of await findLeftBanFiles(db, id, sources)) {
        const lift = async () => {
          standing += 1;
          const report = await liftLeftBanFile(db, id, left, clock.now);
          standing -= 1;
          return { report };
        };
        outcomes.push(...(await attempt({ kind: 'bans', id, path: left.file }, lift)));
      }
      if (standing === 0) listedBefore.set(id, text);
      return outcomes;
    },
  };
}

function known<T>(map: Map<string, T>, key: string, make: () => T): T {
  const had = map.get(key);
  if (had !== undefined) return had;
  const made = make();
  map.set(key, made);
  return made;
}
