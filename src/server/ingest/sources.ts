import { stat } from 'node:fs/promises';
import type { Database } from '../store/database.ts';
import { saveSourceStates, type SourceChange } from '../store/source-states.ts';
import type { BanFormat } from './ban-formats.ts';
import { type BanFileReport, banSource, findLeftBanFiles, importBanFile, liftLeftBanFile } from './bans.ts';
import { fileProblem } from './errors.ts';
import { LogFolder, type LogFolderReport } from './log-folder.ts';
import { importPlayersDb, type PlayersDbReport } from './players-db-import.ts';

/** What the config names to be read again and again. A place for messages.xml, which says when servers restart. */
export interface Sources {
  servers: readonly { id: string; logs?: string | undefined; playersDb?: string | undefined }[];
  banlists: readonly { id: string; sources: readonly { file: string; format: BanFormat }[] }[];
}

/**
 * What became of a source that has changed; `error` says why it could not be read, once per reason, and `recovered`
 * that it can be read again.
 */
export interface SourceOutcome {
  kind: 'logs' | 'playersDb' | 'bans';
  /** Of the server or ban list. */
  id: string;
  path: string;
  report?: LogFolderReport | PlayersDbReport | BanFileReport;
  error?: string;
  recovered?: true;
}

/** Follows what the config names. Where each file was left is in the store, for logs to the byte. */
export interface SourceWatch {
  /**
   * Reads what has changed since the last look, in logs to the last whole line, and lifts the bans of files that the
   * config no longer names for a list. Never throws for a source that cannot be read. Once `signal` is aborted it stops
   * at the next block and keeps what was stored.
   */
  importChanged(sources: Sources, signal?: AbortSignal): Promise<SourceOutcome[]>;
  /** The same for what changes from second to second: the logs that are being written, and ban files. */
  followOn(sources: Sources, signal?: AbortSignal): Promise<SourceOutcome[]>;
}

export function createSourceWatch(db: Database, now: () => number = Date.now): SourceWatch {
  /** By server and folder. */
  const folders = new Map<string, LogFolder>();
  /** The stamp of each ban file and players.db when it was last read. */
  const seen = new Map<string, string>();
  const problems = new Map<string, string>();
  /** What became of sources and is not stored yet. */
  const unstored = new Map<string, SourceChange>();
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
      outcome = { error: problemOf(error) };
    }
    // With nothing to read since, a problem stands as it was.
    if (outcome === null) return [];
    const told = problems.get(key);
    if (outcome.error === undefined) {
      if (problems.delete(key)) outcome.recovered = true;
    } else {
      problems.set(key, outcome.error);
      if (outcome.error === told) delete outcome.error;
    }
    return Object.keys(outcome).length === 0 ? [] : [{ ...source, ...outcome }];
  }

  async function readLogs(
    serverId: string,
    folder: string,
    full: boolean,
    signal?: AbortSignal,
  ): Promise<Partial<SourceOutcome>> {
    const key = JSON.stringify([serverId, folder]);
    const logs = folders.get(key) ?? new LogFolder(db, { serverId, folder, now });
    folders.set(key, logs);
    const { report, problems } = await logs.look(full, signal);
    return { ...(report && { report }), ...(problems.length > 0 && { error: problems.join('; ') }) };
  }

  /** How logs are read is stored with what they say; of the others, and of every problem, this is the only trace. */
  async function store(outcomes: readonly SourceOutcome[]): Promise<void> {
    for (const { kind, id, path, report, error, recovered } of outcomes) {
      if (kind === 'logs' && error === undefined && recovered === undefined) continue;
      const key = `${kind} ${id} ${path}`;
      unstored.set(key, {
        kind,
        ownerId: id,
        path,
        report: report ?? null,
        error: error ?? problems.get(key) ?? null,
      });
    }
    await saveSourceStates(db, [...unstored.values()], now());
    unstored.clear();
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

  async function lookAtAll(
    { servers, banlists }: Sources,
    full: boolean,
    signal?: AbortSignal,
  ): Promise<SourceOutcome[]> {
    const outcomes: SourceOutcome[] = [];
    for (const { id, logs, playersDb } of servers) {
      if (logs !== undefined && signal?.aborted !== true) {
        outcomes.push(
          ...(await attempt({ kind: 'logs', id, path: logs }, () => readLogs(id, logs, full, signal))),
        );
      }
      if (full && playersDb !== undefined && signal?.aborted !== true) {
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
  }

  async function look(sources: Sources, full: boolean, signal?: AbortSignal): Promise<SourceOutcome[]> {
    const outcomes = await lookAtAll(sources, full, signal);
    // A disk that is full refuses this as well; it has been told by then.
    await store(outcomes).catch(() => undefined);
    return outcomes;
  }

  return {
    importChanged: (sources, signal) => look(sources, true, signal),
    followOn: (sources, signal) => look(sources, false, signal),
  };
}

/** Why a source could not be read, and what helps. */
function problemOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'SQLITE_FULL') {
    return 'the disk of the data folder is full: make room there, and it is read on where it was left';
  }
  return code === '' || code.startsWith('SQLITE_') ? message : fileProblem(error);
}

const banKey = (listId: string, source: string): string => `bans ${listId} ${source}`;

/** Tells whether a file is still as it was read. */
async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${size} ${mtimeMs}`;
}
