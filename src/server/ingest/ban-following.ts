import { type Clock, systemClock } from '../../clock.ts';
import { banSource } from '../store/ban-sources.ts';
import { forgetFailures } from '../store/ban-writes.ts';
import type { Database } from '../store/database.ts';
import type { BanFormat } from './ban-formats.ts';
import { BanReader } from './ban-reading.ts';
import { type BanFileReport, findLeftBanFiles, liftLeftBanFile } from './bans.ts';
import { type BanWriteReport, BanWriter, type BanWriteResult } from './ban-writing.ts';
import { type Looked, type Told, ToldOnce } from './told-once.ts';

/** A ban list of the config with its files. */
export interface FollowedBanList {
  id: string;
  sources: readonly { file: string; format: BanFormat; write?: boolean }[];
}

/** What changed about a ban file: `bans` was read, `banWrites` was written. A problem is told once. */
export type BanOutcome = { id: string; path: string } & Told &
  ({ kind: 'bans'; report?: BanFileReport } | { kind: 'banWrites'; report?: BanWriteReport });

/** Follows the ban files of lists, and writes into those that the config allows. */
export interface BanFollower {
  /**
   * Reads the files that changed, lifts the bans of files that left the config, and writes bans made by hand. To be
   * called every second or two. Never throws for a file; a file that cannot be read keeps the bans it had.
   */
  look(lists: readonly FollowedBanList[], signal?: AbortSignal): Promise<BanOutcome[]>;
}

export function createBanFollower(db: Database, clock: Clock = systemClock): BanFollower {
  const readers = new Map<string, BanReader>();
  const writers = new Map<string, BanWriter>();
  const told = new ToldOnce();
  /** The files that the config named when what it no longer names was last lifted. */
  let listedBefore: string | null = null;

  async function attempt<Kind extends BanOutcome['kind'], Report>(
    source: { kind: Kind; id: string; path: string },
    work: () => Promise<Looked<Report> | null>,
  ) {
    const news = await told.attempt(JSON.stringify(source), work);
    return news === null ? [] : [{ ...source, ...news }];
  }

  const keyOf = (listId: string, { file, format }: FollowedBanList['sources'][number]): string =>
    `${listId} ${banSource('config', format, file)}`;

  const readerOf = (listId: string, source: FollowedBanList['sources'][number]): BanReader =>
    known(readers, keyOf(listId, source), () => new BanReader(db, { listId, ...source, clock }));

  async function write(
    listId: string,
    source: FollowedBanList['sources'][number],
  ): Promise<BanWriteResult | null> {
    const make = () => new BanWriter(db, { listId, ...source, clock });
    return await known(writers, keyOf(listId, source), make).write();
  }

  /** Looks only when the config names other ban files than before: nothing else makes one leave. */
  async function liftLeft(lists: readonly FollowedBanList[]): Promise<BanOutcome[]> {
    const listed = lists.map(({ id, sources }) => ({
      id,
      sources: sources.map(({ file, format, write }) => ({
        source: banSource('config', format, file),
        write,
      })),
    }));
    const text = JSON.stringify(listed);
    if (text === listedBefore) return [];
    const keys = new Set(listed.flatMap(({ id, sources }) => sources.map(({ source }) => `${id} ${source}`)));
    // A file that comes back is read again.
    for (const key of readers.keys()) if (!keys.has(key)) readers.delete(key);
    for (const { id, sources } of listed) {
      const writable = sources.filter(({ write }) => write === true);
      await forgetFailures(
        db,
        id,
        writable.map(({ source }) => source),
      );
    }
    const outcomes: BanOutcome[] = [];
    let standing = 0;
    for (const { id, sources } of lists) {
      for (const left of await findLeftBanFiles(db, id, sources)) {
        const lift = async () => {
          standing += 1;
          const report = await liftLeftBanFile(db, id, left, clock.now);
          standing -= 1;
          return { report };
        };
        outcomes.push(...(await attempt({ kind: 'bans', id, path: left.file }, lift)));
      }
    }
    if (standing === 0) listedBefore = text;
    return outcomes;
  }

  return {
    async look(lists, signal) {
      const outcomes: BanOutcome[] = [];
      for (const { id, sources } of lists) {
        for (const source of sources) {
          if (signal?.aborted === true) return outcomes;
          const { file: path } = source;
          const reader = readerOf(id, source);
          outcomes.push(...(await attempt({ kind: 'bans', id, path }, () => reader.read())));
          if (source.write === true && reader.mayWrite) {
            outcomes.push(...(await attempt({ kind: 'banWrites', id, path }, () => write(id, source))));
          }
        }
      }
      // Last, so that whoever moved from one file to another is banned throughout.
      if (signal?.aborted !== true) outcomes.push(...(await liftLeft(lists)));
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
