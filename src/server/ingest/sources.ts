import { systemClock, type Clock } from '../../process/clock.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import type { Database } from '../store/database.ts';
import { forgetSourceErrors, saveSourceStates, type SourceChange } from '../store/source-states.ts';
import { refreshStale } from '../store/stale-statistics.ts';
import { type BanOutcome, createBanSync, type BanListFiles } from './bans/sync.ts';
import { directFiles } from './files/direct-files.ts';
import { type FilePort, type Files, stampOf } from './files/file-port.ts';
import { LogFolder, type LogFolderReport } from './logs/log-folder.ts';
import type { LogFormats } from './logs/log-format.ts';
import {
  createMessagesSync,
  messagesFilesOf,
  type MessagesOutcome,
  type ScheduledServer,
} from './schedules/messages-sync.ts';
import { importPlayersDb, isMissionNotStarted, type PlayersDbReport } from './players/import-players-db.ts';
import type { ReadProgress } from './logs/read-progress.ts';
import { type PollResult, ProblemLog } from './problem-log.ts';

/** What the config names to be read again and again. */
export interface Sources {
  servers: readonly (ScheduledServer & { logs?: string | undefined; playersDb?: string | undefined })[];
  banlists: readonly BanListFiles[];
}

interface Project {
  servers: readonly (Sources['servers'][number] & { active: boolean })[];
  banlists: readonly (Sources['banlists'][number] & { active: boolean })[];
}

export function activeSources({ projects }: { projects: readonly Project[] }): Sources {
  return {
    servers: projects.flatMap((project) => project.servers.filter((server) => server.active)),
    banlists: projects.flatMap((project) => project.banlists.filter((banlist) => banlist.active)),
  };
}

/**
 * What became of a source that has changed; `error` says why it could not be read, once per reason, `recovered` that it
 * can be read again, and `progress` how far a long read has come.
 */
export type SourceOutcome = FolderOutcome | ProgressOutcome | BanOutcome | MessagesOutcome;

interface FolderOutcome {
  kind: 'logs' | 'playersDb';
  /** Of the server. */
  id: string;
  path: string;
  report?: LogFolderReport | PlayersDbReport;
  error?: string;
  recovered?: true;
}

interface ProgressOutcome {
  kind: 'logs';
  id: string;
  path: string;
  progress: ReadProgress;
  report?: undefined;
  error?: undefined;
  recovered?: undefined;
}

/** Follows what the config names. Where each file was left is in the store, for logs to the byte. */
export interface SourceWatch {
  /**
   * Reads what has changed since the last poll, in logs to the last whole line, lifts the bans of files that the
   * config no longer names for a list, and writes bans made by hand. Each source is polled apart from the others; one
   * whose last poll still goes on is left to it. Never throws for a source that cannot be read. Once `signal` is aborted
   * it stops at the next block and keeps what was stored.
   */
  importChanged(sources: Sources, signal?: AbortSignal): Promise<SourceOutcome[]>;
  /** The same for what changes from second to second: the logs that are being written, and small files. */
  followOn(sources: Sources, signal?: AbortSignal): Promise<SourceOutcome[]>;
  /** Resolves when no poll goes on. */
  settled(): Promise<void>;
}

export interface SourceWatchOptions {
  /** Of the games whose logs can be read. */
  formats: LogFormats;
  files?: Files;
  /** Called as soon as there is something new of a source. */
  onOutcomes?: (outcomes: SourceOutcome[]) => void;
  clock?: Clock;
}

interface Source {
  kind: SourceOutcome['kind'];
  id: string;
  path: string;
}

/** A source and how to poll it; with `onlyFull` only from time to time. */
interface SourceTask extends Source {
  onlyFull?: true;
  work(full: boolean): Promise<SourceOutcome[]>;
}

/** A poll of a server's logs or characters takes memory: so many go on at once. */
const pollsAtOnce = 8;

export function createSourceWatch(
  db: Database,
  { formats, files = directFiles, onOutcomes = () => undefined, clock = systemClock }: SourceWatchOptions,
): SourceWatch {
  /** By server and folder. */
  const folders = new Map<string, LogFolder>();
  /** The stamp of each players.db when it was last read. */
  const seen = new Map<string, string>();
  const problems = new ProblemLog();
  const portOf = (source: Source): FilePort => {
    const key = keyOf(source);
    // Who waits for a share that hangs needs no memory and holds up no other source.
    return files.of(key, () => release.get(key)?.());
  };
  const bans = createBanSync(db, clock, (id, path) => portOf({ kind: 'bans', id, path }));
  const messages = createMessagesSync(db, (id, path) => portOf({ kind: 'messages', id, path }));
  /** What became of sources and is not stored yet. */
  const unstored = new Map<string, SourceChange>();
  const limit = limitConcurrency(pollsAtOnce);
  /** By source: gives its place back. */
  const release = new Map<string, () => void>();
  /** The polls that go on, and those that came too early for a full one. */
  const running = new Map<string, Promise<SourceOutcome[]>>();
  const owed = new Set<string>();
  let current: Sources | null = null;
  /** The ban files that were polled since the config changed, and the lists whose former files are being lifted. */
  const polled = new Set<string>();
  const lifting = new Set<string>();
  let begun: Promise<void> | null = null;

  async function attempt(
    source: Pick<FolderOutcome, 'kind' | 'id' | 'path'>,
    work: () => Promise<PollResult<LogFolderReport | PlayersDbReport> | null>,
  ): Promise<SourceOutcome[]> {
    const key = keyOf(source);
    release.set(key, await limit.acquire());
    try {
      const change = await problems.attempt(key, work);
      return change === null ? [] : [{ ...source, ...change }];
    } finally {
      release.get(key)?.();
      release.delete(key);
    }
  }

  async function readLogs(
    serverId: string,
    folder: string,
    full: boolean,
    signal?: AbortSignal,
  ): Promise<PollResult<LogFolderReport> | null> {
    if (signal?.aborted === true) return null;
    const key = JSON.stringify([serverId, folder]);
    const source = { kind: 'logs', id: serverId, path: folder } as const;
    const onProgress = (progress: ReadProgress): void => onOutcomes([{ ...source, progress }]);
    const logs =
      folders.get(key) ?? new LogFolder(db, portOf(source), { serverId, folder, formats, clock, onProgress });
    folders.set(key, logs);
    const { report, problems: found } = await logs.poll(full, signal);
    return { ...(report && { report }), ...(found.length > 0 && { problem: found.join('; ') }) };
  }

  async function readPlayersDb(
    serverId: string,
    file: string,
    signal?: AbortSignal,
  ): Promise<PollResult<PlayersDbReport> | null> {
    if (signal?.aborted === true) return null;
    const key = JSON.stringify([serverId, file]);
    const port = portOf({ kind: 'playersDb', id: serverId, path: file });
    if (!seen.has(key) && (await isMissionNotStarted(file, port))) return {};
    const stamp = stampOf(await port.stat(file));
    if (stamp === seen.get(key)) return null;
    const report = await importPlayersDb(db, {
      serverId,
      file,
      files: port,
      origin: 'config',
      now: clock.now,
    });
    seen.set(key, stamp);
    return { report };
  }

  async function followBans(
    list: BanListFiles,
    source: BanListFiles['sources'][number],
  ): Promise<SourceOutcome[]> {
    const outcomes = await bans.sync(list.id, source);
    polled.add(banKey(list.id, source.file));
    return [...outcomes, ...(await liftRemoved(list))];
  }

  /** Last, so that whoever moved from one file to another is banned throughout. */
  async function liftRemoved(list: BanListFiles): Promise<SourceOutcome[]> {
    const isRead = list.sources.every(({ file }) => polled.has(banKey(list.id, file)));
    if (!isRead || lifting.has(list.id)) return [];
    lifting.add(list.id);
    try {
      return await bans.liftRemoved(list);
    } finally {
      lifting.delete(list.id);
    }
  }

  function tasksOf({ servers, banlists }: Sources, signal?: AbortSignal): SourceTask[] {
    const tasks: SourceTask[] = [];
    for (const server of servers) {
      const { id, logs, playersDb } = server;
      if (logs !== undefined) {
        const source = { kind: 'logs', id, path: logs } as const;
        const work = (full: boolean) => attempt(source, () => readLogs(id, logs, full, signal));
        tasks.push({ ...source, work });
      }
      if (playersDb !== undefined) {
        const source = { kind: 'playersDb', id, path: playersDb } as const;
        const work = () => attempt(source, () => readPlayersDb(id, playersDb, signal));
        tasks.push({ ...source, onlyFull: true, work });
      }
      for (const path of messagesFilesOf(server)) {
        tasks.push({ kind: 'messages', id, path, work: () => messages.follow(id, path) });
      }
    }
    for (const list of banlists) {
      const { id, sources } = list;
      for (const source of sources) {
        tasks.push({ kind: 'bans', id, path: source.file, work: () => followBans(list, source) });
      }
      if (sources.length === 0) tasks.push({ kind: 'bans', id, path: '', work: () => liftRemoved(list) });
    }
    return tasks;
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
        error: error ?? problems.current(key),
      });
    }
    const changes = [...unstored];
    unstored.clear();
    try {
      await saveSourceStates(
        db,
        changes.map(([, change]) => change),
        clock.now(),
      );
    } catch {
      // A disk that is full refuses this as well; it has been reported by then.
      for (const [key, change] of changes) if (!unstored.has(key)) unstored.set(key, change);
    }
  }

  async function pollOne(task: SourceTask, full: boolean): Promise<SourceOutcome[]> {
    const outcomes = await task.work(full);
    if (outcomes.length > 0) onOutcomes(outcomes);
    if (outcomes.length > 0 || unstored.size > 0) await store(outcomes);
    return outcomes;
  }

  function start(task: SourceTask, full: boolean): Promise<SourceOutcome[]> | null {
    const key = keyOf(task);
    if (running.has(key)) {
      if (full) owed.add(key);
      return null;
    }
    const isFull = owed.delete(key) || full;
    if (task.onlyFull && !isFull) return null;
    const poll = pollOne(task, isFull).finally(() => running.delete(key));
    running.set(key, poll);
    return poll;
  }

  async function poll(sources: Sources, full: boolean, signal?: AbortSignal): Promise<SourceOutcome[]> {
    // What went wrong with a former process shows again, or is over.
    await (begun ??= forgetSourceErrors(db).catch(() => undefined));
    if (sources !== current) polled.clear();
    current = sources;
    // Figures that an import was stopped before; the next full poll makes up for a store that was busy.
    if (full) await refreshStale(db).catch(() => undefined);
    if (signal?.aborted === true) return [];
    const polls = tasksOf(sources, signal).flatMap((task) => start(task, full) ?? []);
    return (await Promise.all(polls)).flat();
  }

  return {
    importChanged: (sources, signal) => poll(sources, true, signal),
    followOn: (sources, signal) => poll(sources, false, signal),
    async settled() {
      await Promise.allSettled(running.values());
    },
  };
}

const keyOf = ({ kind, id, path }: Source): string => JSON.stringify([kind, id, path]);
const banKey = (listId: string, file: string): string => JSON.stringify([listId, file]);
