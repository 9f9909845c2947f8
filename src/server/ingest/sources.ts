import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../store/database.ts';
import { type AdminLogReport, importAdminLogs } from './admin-log-import.ts';
import type { BanFormat } from './ban-formats.ts';
import { type BanFileReport, importBanFile } from './bans.ts';
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

/** Remembers, as long as the process runs, which files were read in which state. */
export interface SourceWatch {
  /** Imports what has changed since the last call. Never throws for a source that cannot be read. */
  importChanged(sources: Sources): Promise<SourceOutcome[]>;
}

export function createSourceWatch(db: Database, now: () => number = Date.now): SourceWatch {
  /** Size and time of each file when it was last read. */
  const seen = new Map<string, string>();
  const problems = new Map<string, string>();

  async function changed(path: string, key = path): Promise<string | null> {
    const { size, mtimeMs } = await stat(path);
    const state = `${size} ${mtimeMs}`;
    return seen.get(key) === state ? null : state;
  }

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

  async function readLogs(serverId: string, folder: string): Promise<Partial<SourceOutcome> | null> {
    const states = new Map<string, string>();
    for (const name of (await readdir(folder)).toSorted()) {
      const path = join(folder, name);
      if (!isServerLog(name)) continue;
      const state = await changed(path).catch(() => null);
      if (state !== null) states.set(path, state);
    }
    if (states.size === 0) return null;
    const { files, ...report } = await importAdminLogs(db, {
      serverId,
      files: [...states.keys()],
      beside: false,
      now,
    });
    // What failed is tried again: a file may be locked, a network share away.
    const failed = new Set(report.failures.map(({ file }) => file));
    for (const [path, state] of states) if (!failed.has(path)) seen.set(path, state);
    return {
      ...(files.length > 0 && { report }),
      ...(failed.size > 0 && { error: report.failures.map(({ message }) => message).join('; ') }),
    };
  }

  async function readFile(
    path: string,
    key: string,
    work: () => Promise<PlayersDbReport | BanFileReport>,
  ): Promise<Partial<SourceOutcome> | null> {
    const state = await changed(path, key);
    if (state === null) return null;
    const report = await work();
    seen.set(key, state);
    return { report };
  }

  return {
    async importChanged({ servers, banlists }) {
      const outcomes: SourceOutcome[] = [];
      for (const { id, logs, playersDb } of servers) {
        if (logs !== undefined) {
          outcomes.push(...(await attempt({ kind: 'logs', id, path: logs }, () => readLogs(id, logs))));
        }
        if (playersDb !== undefined) {
          outcomes.push(
            ...(await attempt({ kind: 'playersDb', id, path: playersDb }, () =>
              readFile(playersDb, `${id} ${playersDb}`, () =>
                importPlayersDb(db, { serverId: id, file: playersDb, now }),
              ),
            )),
          );
        }
      }
      for (const { id, sources } of banlists) {
        for (const { file, format } of sources) {
          outcomes.push(
            ...(await attempt({ kind: 'bans', id, path: file }, () =>
              readFile(file, `${id} ${format} ${file}`, () =>
                importBanFile(db, { listId: id, file, format, now }),
              ),
            )),
          );
        }
      }
      return outcomes;
    },
  };
}
