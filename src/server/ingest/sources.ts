import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../store/database.ts';
import { readStamps, saveStamps } from '../store/source-files.ts';
import { type AdminLogReport, importAdminLogs } from './admin-log-import.ts';
import type { BanFormat } from './ban-formats.ts';
import { type BanFileReport, banSource, findLeftBanFiles, importBanFile, liftLeftBanFile } from './bans.ts';
import { fileProblem } from './errors.ts';
import { isServerLog } from './log-files.ts';
import { importPlayersDb, type PlayersDbReport } from './players-db-import.ts';

/** What the config names to be read again and again. A place for messages.xml, which says when servers restart. */
export interface Sources {
  servers: readonly { id: string; logs?: string | undefined; playersDb?: string | undefined }[];
  banlists: readonly { id: string; sources: readonly { file: string; format: BanFormat }[] }[];
}

/** What became of a source that has changed; `error` says why it could not be read, once per reason. */
export interface SourceOutcome {
  kind: 'logs' | 'playersDb' | 'bans';
  /** Of the server or ban list. */
  id: string;
  path: string;
  report?: Omit<AdminLogReport, 'files'> | PlayersDbReport | BanFileReport;
  error?: string;
}

/**
 * Remembers which files were read in which state: admin logs in the store, because reading years of them again takes
 * long; what is small only as long as the process runs.
 */
export interface SourceWatch {
  /**
   * Imports what has changed since the last call, and lifts the bans of files that the config no longer names for a
   * list. Never throws for a source that cannot be read. Once `signal` is aborted it stops at the next block and keeps
   * what was read whole.
   */
  importChanged(sources: Sources, signal?: AbortSignal): Promise<SourceOutcome[]>;
}

export function createSourceWatch(db: Database, now: () => number = Date.now): SourceWatch {
  /** The stamp of each ban file and players.db when it was last read. */
  const seen = new Map<string, string>();
  const problems = new Map<string, string>();
  /** The ban files that the config named when what it no longer names was last lifted. */
  let listedBefore: string | null = null;

  /** Runs one import; the same error twice in a row is told once. */
  async function attempt(
    source: Pick<SourceOutcome, 'kind' | 'id' | 'path'>,
    work: () => Promise<Partial<SourceOutcome> | null>,
  ): Promise<SourceOutcome[]> {
    const key = `${source.kind} ${source.id} ${source.path}`;
    let outcome: Partial<SourceOutcome> | null;
    try {
      outcome = await work();
    } catch (error) {
      outcome = {
        error:
          (error as NodeJS.ErrnoException).code === undefined ? (error as Error).message : fileProblem(error),
      };
    }
    // With nothing to read since, a problem stands as it was.
    if (outcome === null) return [];
    const told = problems.get(key);
    if (outcome.error === undefined) problems.delete(key);
    else problems.set(key, outcome.error);
    if (outcome.error !== undefined && outcome.error === told) delete outcome.error;
    return Object.keys(outcome).length === 0 ? [] : [{ ...source, ...outcome }];
  }

  async function readLogs(
    serverId: string,
    folder: string,
    signal?: AbortSignal,
  ): Promise<Partial<SourceOutcome> | null> {
    const known = await readStamps(db, serverId);
    const gone = new Set(known.keys());
    const changed = new Map<string, string>();
    for (const name of (await readdir(folder)).toSorted()) {
      if (!isServerLog(name)) continue;
      const path = join(folder, name);
      gone.delete(path);
      const stamp = await stampOf(path).catch(() => null);
      if (stamp !== null && stamp !== known.get(path)) changed.set(path, stamp);
    }
    if (changed.size === 0 && gone.size === 0) return null;
    const { files, ...report } = await importAdminLogs(db, {
      serverId,
      files: [...changed.keys()],
      beside: false,
      now,
      ...(signal && { signal }),
    });
    // What failed is tried again (a file may be locked, a network share away), and so is what was not reached.
    const read = new Map(files.map(({ file }) => [file, changed.get(file) as string]));
    await saveStamps(db, serverId, read, [...gone]);
    if (files.length === 0 && report.failures.length === 0) return null;
    return {
      ...(files.length > 0 && { report }),
      ...(report.failures.length > 0 && { error: report.failures.map(({ message }) => message).join('; ') }),
    };
  }

  async function readFile(
    path: string,
    key: string,
    work: () => Promise<PlayersDbReport | BanFileReport>,
  ): Promise<Partial<SourceOutcome> | null> {
    const stamp = await stampOf(path);
    if (stamp === seen.get(key)) return null;
    const report = await work();
    seen.set(key, stamp);
    return { report };
  }

  /** Looks only when the config names other ban files than before: nothing else makes one leave. */
  async function liftLeft(banlists: Sources['banlists']): Promise<SourceOutcome[]> {
    const listed = banlists.map(
      ({ id, sources }) =>
        [id, sources.map(({ file, format }) => banSource('config', format, file))] as const,
    );
    const text = JSON.stringify(listed);
    if (text === listedBefore) return [];
    const keys = new Set(listed.flatMap(([id, sources]) => sources.map((source) => banKey(id, source))));
    // A file that comes back is read again.
    for (const key of seen.keys()) if (key.startsWith('bans ') && !keys.has(key)) seen.delete(key);
    const outcomes: SourceOutcome[] = [];
    let standing = 0;
    for (const { id, sources } of banlists) {
      for (const left of await findLeftBanFiles(db, id, sources)) {
        const lift = async () => {
          standing += 1;
          const report = await liftLeftBanFile(db, id, left, now);
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
    async importChanged({ servers, banlists }, signal) {
      const outcomes: SourceOutcome[] = [];
      for (const { id, logs, playersDb } of servers) {
        if (logs !== undefined && signal?.aborted !== true) {
          outcomes.push(
            ...(await attempt({ kind: 'logs', id, path: logs }, () => readLogs(id, logs, signal))),
          );
        }
        if (playersDb !== undefined && signal?.aborted !== true) {
          outcomes.push(
            ...(await attempt({ kind: 'playersDb', id, path: playersDb }, () =>
              readFile(playersDb, `playersDb ${id} ${playersDb}`, () =>
                importPlayersDb(db, { serverId: id, file: playersDb, now }),
              ),
            )),
          );
        }
      }
      for (const { id, sources } of banlists) {
        for (const { file, format } of sources) {
          if (signal?.aborted === true) return outcomes;
          outcomes.push(
            ...(await attempt({ kind: 'bans', id, path: file }, () =>
              readFile(file, banKey(id, banSource('config', format, file)), () =>
                importBanFile(db, { listId: id, file, format, origin: 'config', now }),
              ),
            )),
          );
        }
      }
      // Last, so that whoever moved from one file to another is banned throughout.
      if (signal?.aborted !== true) outcomes.push(...(await liftLeft(banlists)));
      return outcomes;
    },
  };
}

const banKey = (listId: string, source: string): string => `bans ${listId} ${source}`;

/** Tells whether a file is still as it was read. */
async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${size} ${mtimeMs}`;
}
