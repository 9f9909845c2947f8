import { systemClock } from '../../clock.ts';
import type { Config } from '../../config-schema.ts';
import type { Database } from '../store/database.ts';
import { forgetSourceErrors, saveSourceStates, type SourceChange } from '../store/source-states.ts';
import { refreshStale } from '../store/stale-statistics.ts';
import { type BanOutcome, createBanFollower, type FollowedBanList } from './ban-following.ts';
import { LogFolder, type LogFolderReport } from './log-folder.ts';
import { createMessagesFollower, type MessagesOutcome, type ScheduledServer } from './messages-following.ts';
import { importPlayersDb, type PlayersDbReport } from './players-db-import.ts';
import { stampOf } from './replace-file.ts';
import { type Looked, ToldOnce } from './told-once.ts';

/** What the config names to be read again and again. */
export interface Sources {
  servers: readonly (ScheduledServer & { logs?: string | undefined; playersDb?: string | undefined })[];
  banlists: readonly FollowedBanList[];
}

export function activeSources({ projects }: Pick<Config, 'projects'>): Sources {
  return {
    servers: projects.flatMap((project) => project.servers.filter((server) => server.active)),
    banlists: projects.flatMap((project) => project.banlists.filter((banlist) => banlist.active)),
  };
}

/**
 * What became of a source that has changed; `error` says why it could not be read, once per reason, and `recovered`
 * that it can be read again.
 */
export type SourceOutcome = FolderOutcome | BanOutcome | MessagesOutcome;

interface FolderOutcome {
  kind: 'logs' | 'playersDb';
  /** Of the server. */
  id: string;
  path: string;
  report?: LogFolderReport | PlayersDbReport;
  error?: string;
  recovered?: true;
}

/** Follows what the config names. Where each file was left is in the store, for logs to the byte. */
export interface SourceWatch {
  /**
   * Reads what has changed since the last look, in logs to the last whole line, lifts the bans of files that the
   * config no longer names for a list, and writes bans made by hand. Never throws for a source that cannot be read.
   * Once `signal` is aborted it stops at the next block and keeps what was stored.
   */
  importChanged(sources: Sources, signal?: AbortSignal): Promise<SourceOutcome[]>;
  /** The same for what changes from second to second: the logs that are being written, and small files. */
  followOn(sources: Sources, signal?: AbortSignal): Promise<SourceOutcome[]>;
}

export function createSourceWatch(db: Database, now: () => number = Date.now): SourceWatch {
  /** By server and folder. */
  const folders = new Map<string, LogFolder>();
  /** The stamp of each players.db when it was last read. */
  const seen = new Map<string, string>();
  const told = new ToldOnce();
  const bans = createBanFollower(db, { ...systemClock, now });
  const messages = createMessagesFollower(db);
  /** What became of sources and is not stored yet. */
  const unstored = new Map<string, SourceChange>();
  let first = true;

  async function attempt(
    source: Pick<FolderOutcome, 'kind' | 'id' | 'path'>,
    work: () => Promise<Looked<LogFolderReport | PlayersDbReport> | null>,
  ): Promise<SourceOutcome[]> {
    const news = await told.attempt(keyOf(source), work);
    return news === null ? [] : [{ ...source, ...news }];
  }

  async function readLogs(
    serverId: string,
    folder: string,
    full: boolean,
    signal?: AbortSignal,
  ): Promise<Looked<LogFolderReport>> {
    const key = JSON.stringify([serverId, folder]);
    const logs = folders.get(key) ?? new LogFolder(db, { serverId, folder, now });
    folders.set(key, logs);
    const { report, problems } = await logs.look(full, signal);
    return { ...(report && { report }), ...(problems.length > 0 && { problem: problems.join('; ') }) };
  }

  /** How logs are read is stored with what they say; of the others, and of every problem, this is the only trace. */
  async function store(outcomes: readonly SourceOutcome[]): Promise<void> {
    for (const outcome of outcomes) {
      const { kind, id, path, report, error, recovered } = outcome;
      if (kind === 'logs' && error === undefined && recovered === undefined) continue;
      const key = keyOf(outcome);
      unstored.set(key, {
        kind,
        ownerId: id,
        path,
        report: report ?? null,
        error: error ?? told.standing(key),
      });
    }
    await saveSourceStates(db, [...unstored.values()], now());
    unstored.clear();
  }

  async function readPlayersDb(serverId: string, file: string): Promise<Looked<PlayersDbReport> | null> {
    const key = JSON.stringify([serverId, file]);
    const stamp = await stampOf(file);
    if (stamp === seen.get(key)) return null;
    const report = await importPlayersDb(db, { serverId, file, origin: 'config', now });
    seen.set(key, stamp);
    return { report };
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
          ...(await attempt({ kind: 'playersDb', id, path: playersDb }, () => readPlayersDb(id, playersDb))),
        );
      }
    }
    outcomes.push(...(await messages.look(servers, signal)), ...(await bans.look(banlists, signal)));
    return outcomes;
  }

  async function look(sources: Sources, full: boolean, signal?: AbortSignal): Promise<SourceOutcome[]> {
    // What went wrong with a former process shows again, or is over.
    if (first) await forgetSourceErrors(db).catch(() => undefined);
    first = false;
    // Figures that an import was stopped before; the next full look makes up for a store that was busy.
    if (full) await refreshStale(db).catch(() => undefined);
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

const keyOf = ({ kind, id, path }: Pick<SourceOutcome, 'kind' | 'id' | 'path'>): string =>
  JSON.stringify([kind, id, path]);
