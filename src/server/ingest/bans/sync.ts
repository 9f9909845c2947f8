import { type Clock, systemClock } from '../../../process/clock.ts';
import { banSource } from '../../store/repositories/bans/ban-sources.ts';
import { placedFile } from '../../store/repositories/projects/places.ts';
import { forgetFailures } from '../../store/repositories/bans/ban-writes.ts';
import type { Database } from '../../store/engine/database.ts';
import type { BanFormat } from './formats/index.ts';
import { BanFileReader } from './file-reader.ts';
import { type BanFileReport, findRemovedBanFiles, liftRemovedBanFile } from './import.ts';
import { type BanWriteReport, BanFileWriter } from './file-writer.ts';
import type { ListedBanFile } from './read-file.ts';
import { directPort } from '../../files/direct-files.ts';
import type { FilePort } from '../../files/file-port.ts';
import { type PollResult, type ProblemChange, ProblemLog } from '../problem-log.ts';

/** A ban file of the config. */
export interface BanSource {
  file: string;
  format: BanFormat;
  /** Whether bans made by hand are written into it. */
  write?: boolean;
  /** The server on whose host the file is; absent: this machine. */
  filesOf?: string | undefined;
}

/** A ban list of the config with its files. */
export interface BanListFiles {
  id: string;
  sources: readonly BanSource[];
}

/**
 * What changed about a ban file: `bans` was read, `banWrites` was written. A problem is reported once. `keptBans`: bans are
 * missing from the file and stay in force until the loss has lasted (`file-reader.ts`).
 */
export type BanOutcome = { id: string; path: string } & ProblemChange &
  (
    { kind: 'bans'; report?: BanFileReport; keptBans?: true } | { kind: 'banWrites'; report?: BanWriteReport }
  );

/** Keeps ban lists and their files in sync; writes only into files that the config allows. */
export interface BanSync {
  /**
   * Reads a file of a list when it has changed, and writes bans made by hand into it. To be called every second or
   * two. Never throws for a file; the bans of a file that cannot be read stay in force.
   */
  sync(listId: string, source: BanSource): Promise<BanOutcome[]>;
  /**
   * Lifts the bans of files that the config no longer names for a list. To be called after the list's files were
   * read, so that a player who moved from one file to another stays banned.
   */
  liftRemoved(list: BanListFiles): Promise<BanOutcome[]>;
}

/** @param portOf the port to a list's file */
export function createBanSync(
  db: Database,
  clock: Clock = systemClock,
  portOf: (listId: string, source: BanSource) => FilePort = () => directPort,
): BanSync {
  const readers = new Map<string, BanFileReader>();
  const writers = new Map<string, BanFileWriter>();
  const problems = new ProblemLog();
  /** The files of each list, as JSON, when bans of removed files were last lifted. */
  const listedBefore = new Map<string, string>();

  async function attempt<Kind extends BanOutcome['kind'], Report>(
    source: { kind: Kind; id: string; path: string },
    work: () => Promise<PollResult<Report> | null>,
  ) {
    const change = await problems.attempt(JSON.stringify(source), work);
    return change === null ? [] : [{ ...source, ...change }];
  }

  const listed = (listId: string, at: BanSource): ListedBanFile => {
    const { file, filesOf, format } = at;
    const source = banSource('config', format, file, filesOf);
    return { db, clock, listId, files: portOf(listId, at), file, filesOf, format, source };
  };
  const keyOf = ({ listId, source }: ListedBanFile): string => `${listId} ${source}`;

  return {
    async sync(id, source) {
      const path = placedFile(source.file, source.filesOf);
      const at = listed(id, source);
      const reader = getOrCreate(readers, keyOf(at), () => new BanFileReader(at));
      let isKept = false;
      const read = await attempt({ kind: 'bans', id, path }, async () => {
        const result = await reader.read();
        isKept = (result?.problem ?? null) !== null;
        return result;
      });
      const outcomes: BanOutcome[] = isKept ? read.map((one) => ({ ...one, keptBans: true })) : read;
      if (source.write !== true || !reader.mayWrite) return outcomes;
      const writer = getOrCreate(writers, keyOf(at), () => new BanFileWriter(at));
      return [...outcomes, ...(await attempt({ kind: 'banWrites', id, path }, () => writer.write()))];
    },

    /** Does nothing unless the files in the config have changed since the last call. */
    async liftRemoved({ id, sources }) {
      const named = sources.map(({ file, filesOf, format, write }) => ({
        source: banSource('config', format, file, filesOf),
        write,
      }));
      const text = JSON.stringify(named);
      if (text === listedBefore.get(id)) return [];
      const keys = new Set(named.map(({ source }) => `${id} ${source}`));
      // A file that comes back is read again.
      for (const key of readers.keys()) if (key.startsWith(`${id} `) && !keys.has(key)) readers.delete(key);
      const writable = named.filter(({ write }) => write === true);
      await forgetFailures(
        db,
        id,
        writable.map(({ source }) => source),
      );
      const outcomes: BanOutcome[] = [];
      let failed = 0;
      for (const left of await findRemovedBanFiles(db, id, sources)) {
        const lift = async () => {
          failed += 1;
          const report = await liftRemovedBanFile(db, id, left, clock.now);
          failed -= 1;
          return { report };
        };
        outcomes.push(...(await attempt({ kind: 'bans', id, path: left.file }, lift)));
      }
      if (failed === 0) listedBefore.set(id, text);
      return outcomes;
    },
  };
}

function getOrCreate<T>(map: Map<string, T>, key: string, make: () => T): T {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const made = make();
  map.set(key, made);
  return made;
}
