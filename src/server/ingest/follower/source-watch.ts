import { systemClock, type Clock } from '../../../process/clock.ts';
import { type ConcurrencyLimit, limitConcurrency } from '../../../process/concurrency-limit.ts';
import type { Database } from '../../store/database.ts';
import { forgetSourceErrors, saveSourceStates, type SourceChange } from '../../store/logs/source-states.ts';
import { LeaseLost, StoreUnavailable } from '../../store/engine/error.ts';
import { placedFile } from '../../store/projects/places.ts';
import { refreshStale } from '../../store/players/stale-statistics.ts';
import { type BanOutcome, createBanSync, type BanListFiles } from '../bans/sync.ts';
import { currentPort } from '../files/current-port.ts';
import { directFiles } from '../files/direct-files.ts';
import type { FilePort, Files } from '../files/file-port.ts';
import type { Sources } from './sources.ts';
import { RemotePlaces } from '../files/remote/remote-places.ts';
import { SourceFiles } from '../files/remote/source-files.ts';
import { LogFolder, type LogFolderReport } from '../logs/log-folder.ts';
import type { LogFormats } from '../logs/log-format.ts';
import { createMessagesSync, messagesFilesOf, type MessagesOutcome } from '../schedules/messages-sync.ts';
import type { PlayersDbReport } from '../players/import-players-db.ts';
import { PlayersDbSources } from '../players/players-db-sources.ts';
import type { ReadProgress } from '../logs/read-progress.ts';
import { type PollResult, ProblemLog } from '../problem-log.ts';

/**
 * The result of polling a source. `error`: why it could not be read, reported once per reason; `recovered`: it can be
 * read again; `progress`: how far a long read is.
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

/** Follows the sources of the config. The position in each file is stored, for logs to the byte. */
export interface SourceWatch {
  /**
   * Reads what has changed since the last poll, in logs up to the last complete line; lifts the bans of files that
   * the config no longer names for a list; and writes bans made by hand. Sources are polled independently; one whose
   * last poll is still running is skipped. Never throws for a source that cannot be read. When `signal` is aborted,
   * it stops at the next block and keeps what was stored.
   */
  importChanged(sources: Sources, signal?: AbortSignal): Promise<SourceOutcome[]>;
  /** The same for sources that change from second to second: logs that are being written, and small files. */
  followOn(sources: Sources, signal?: AbortSignal): Promise<SourceOutcome[]>;
  /** Resolves when no poll is running. */
  settled(): Promise<void>;
}

export interface SourceWatchOptions {
  /** The log formats of each game. */
  formats: LogFormats;
  files?: Files;
  remote?: RemotePlaces;
  /** Called as soon as a source has changed. */
  onOutcomes?: (outcomes: SourceOutcome[]) => void;
  clock?: Clock;
  /**
   * Of several watches in a process: how many sources all of them poll at once. Such a watch leaves alone what
   * concerns the sources of others: which places are open, problems, and stale statistics.
   */
  shared?: ConcurrencyLimit;
}

interface Source {
  kind: SourceOutcome['kind'];
  id: string;
  path: string;
}

/** A source and how to poll it; with `onlyFull` only at a full poll. */
interface SourceTask extends Source {
  onlyFull?: true;
  /** Minimum time between two polls. */
  everyMs: number;
  work(full: boolean): Promise<SourceOutcome[]>;
}

/** Local sources are polled at every call, about once a second, so this pace needs no timing here. */
const ownPaceMs = 1_000;
/** A remote source that has not changed for a minute is polled less often: each poll costs traffic. */
const restAfterMs = 60_000;
const restEveryMs = 7_000;
/** Concurrent polls: polling a server's logs or characters takes memory. */
export const pollsAtOnce = 8;

export function createSourceWatch(
  db: Database,
  {
    formats,
    files = directFiles,
    remote = new RemotePlaces(),
    onOutcomes = () => undefined,
    clock = systemClock,
    shared,
  }: SourceWatchOptions,
): SourceWatch {
  /** By server and folder. */
  const folders = new Map<string, LogFolder>();
  const characters = new PlayersDbSources(db, clock);
  const problems = new ProblemLog();
  /** @param serverId the server on whose host the source is; absent: this machine */
  const portOf = (source: Source, serverId?: string): FilePort => {
    const key = keyOf(source);
    // A poll that waits for a hanging share needs no memory and must not delay other sources.
    const onSilent = (): void => release.get(key)?.();
    return currentPort(() => (filesOfPoll.get(key) ?? sourceFiles).of(serverId).of(key, onSilent));
  };
  const bans = createBanSync(db, clock, (id, { file, filesOf }) =>
    portOf({ kind: 'bans', id, path: placedFile(file, filesOf) }, filesOf),
  );
  const messages = createMessagesSync(db, (id, path) => portOf({ kind: 'messages', id, path }, id));
  /** Results that are not stored yet. */
  const unstored = new Map<string, SourceChange>();
  const limit = shared ?? limitConcurrency(pollsAtOnce);
  /** By source: releases its place. */
  const release = new Map<string, () => void>();
  /** The running polls, and the sources for which a full poll is pending. */
  const running = new Map<string, Promise<SourceOutcome[]>>();
  /** Where the running polls read: a changed config must not move them to files of another host. */
  const filesOfPoll = new Map<string, SourceFiles>();
  const fullPollPending = new Set<string>();
  /** When the latest poll of a source began, by the monotonic clock. */
  const begunAt = new Map<string, number>();
  /** When a source last had changed, likewise. */
  const changedAt = new Map<string, number>();
  let current: Sources | null = null;
  let sourceFiles = new SourceFiles(files, remote);
  /** The ban files that were polled since the config changed, and the lists whose removed files are being lifted. */
  const polled = new Set<string>();
  const lifting = new Set<string>();
  let errorsCleared: Promise<void> | null = null;

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
      folders.get(key) ??
      new LogFolder(db, portOf(source, serverId), { serverId, folder, formats, clock, onProgress });
    folders.set(key, logs);
    const { report, problems: found } = await logs.poll(full, signal);
    return { ...(report && { report }), ...(found.length > 0 && { problem: found.join('; ') }) };
  }

  async function followBans(
    list: BanListFiles,
    source: BanListFiles['sources'][number],
  ): Promise<SourceOutcome[]> {
    const outcomes = await bans.sync(list.id, source);
    polled.add(banKey(list.id, source));
    return [...outcomes, ...(await liftRemoved(list))];
  }

  /** Last, so that a player who moved from one file to another stays banned throughout. */
  async function liftRemoved(list: BanListFiles): Promise<SourceOutcome[]> {
    const isRead = list.sources.every((source) => polled.has(banKey(list.id, source)));
    if (!isRead || lifting.has(list.id)) return [];
    lifting.add(list.id);
    try {
      return await bans.liftRemoved(list);
    } catch (error) {
      // The next poll tries again.
      if (error instanceof StoreUnavailable || error instanceof LeaseLost) return [];
      throw error;
    } finally {
      lifting.delete(list.id);
    }
  }

  function tasksOf({ servers, banlists, places }: Sources, signal?: AbortSignal): SourceTask[] {
    const tasks: SourceTask[] = [];
    for (const server of servers) {
      const { id, logs, playersDb } = server;
      if (logs !== undefined) {
        const source = { kind: 'logs', id, path: logs } as const;
        const everyMs = portOf(source, id).pollEveryMs;
        const work = (full: boolean) => attempt(source, () => readLogs(id, logs, full, signal));
        tasks.push({ ...source, everyMs, work });
      }
      if (playersDb !== undefined) {
        const source = { kind: 'playersDb', id, path: playersDb } as const;
        const port = portOf(source, id);
        const isRemote = places?.has(id) === true;
        const work = () => attempt(source, () => characters.poll(id, playersDb, port, isRemote, signal));
        const everyMs = port.pollEveryMs;
        tasks.push({ ...source, onlyFull: true, everyMs, work });
      }
      for (const path of messagesFilesOf(server)) {
        const source = { kind: 'messages', id, path } as const;
        const storedAs = placedFile(path, places?.has(id) === true ? id : undefined);
        const everyMs = portOf(source, id).pollEveryMs;
        tasks.push({ ...source, everyMs, work: () => messages.follow(id, path, storedAs) });
      }
    }
    for (const list of banlists) {
      const { id, sources } = list;
      for (const source of sources) {
        const task = { kind: 'bans', id, path: placedFile(source.file, source.filesOf) } as const;
        const everyMs = portOf(task, source.filesOf).pollEveryMs;
        tasks.push({ ...task, everyMs, work: () => followBans(list, source) });
      }
      if (sources.length === 0) {
        tasks.push({ kind: 'bans', id, path: '', everyMs: 0, work: () => liftRemoved(list) });
      }
    }
    return tasks;
  }

  /** Stores the results. For logs only problems are stored here: their progress is stored with their data. */
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
      // A full disk refuses this write as well; the problem has been reported by then.
      for (const [key, change] of changes) if (!unstored.has(key)) unstored.set(key, change);
    }
  }

  async function pollOne(task: SourceTask, full: boolean): Promise<SourceOutcome[]> {
    const outcomes = await task.work(full);
    if (outcomes.length > 0) changedAt.set(keyOf(task), clock.monotonic());
    if (outcomes.length > 0) onOutcomes(outcomes);
    if (outcomes.length > 0 || unstored.size > 0) await store(outcomes);
    return outcomes;
  }

  /** Less half of what lies between two calls. */
  function paceOf({ everyMs, ...source }: SourceTask): number {
    const quietMs = clock.monotonic() - (changedAt.get(keyOf(source)) ?? Number.NEGATIVE_INFINITY);
    const paceMs = quietMs < restAfterMs ? everyMs : Math.max(everyMs, restEveryMs);
    return paceMs - ownPaceMs / 2;
  }

  function start(task: SourceTask, full: boolean): Promise<SourceOutcome[]> | null {
    const key = keyOf(task);
    if (running.has(key)) {
      if (full) fullPollPending.add(key);
      return null;
    }
    const isFull = fullPollPending.delete(key) || full;
    if (task.onlyFull && !isFull) return null;
    const now = clock.monotonic();
    if (task.everyMs > ownPaceMs && now - (begunAt.get(key) ?? Number.NEGATIVE_INFINITY) < paceOf(task)) {
      if (isFull) fullPollPending.add(key);
      return null;
    }
    begunAt.set(key, now);
    filesOfPoll.set(key, sourceFiles);
    const poll = pollOne(task, isFull).finally(() => {
      running.delete(key);
      filesOfPoll.delete(key);
    });
    running.set(key, poll);
    return poll;
  }

  async function poll(sources: Sources, full: boolean, signal?: AbortSignal): Promise<SourceOutcome[]> {
    // Problems of an earlier process will be found again, or are resolved.
    const owners = shared === undefined ? null : ownersOf(sources);
    await (errorsCleared ??= forgetSourceErrors(db, owners).catch(() => undefined));
    if (sources !== current) {
      polled.clear();
      begunAt.clear();
      characters.forgetPace();
      sourceFiles = new SourceFiles(files, remote, sources.places);
      if (shared === undefined) void remote.keep([...(sources.places?.values() ?? [])]);
    }
    current = sources;
    // An import may have stopped before computing these figures. If the store is busy, the next full poll tries
    // again.
    if (full && shared === undefined) await refreshStale(db).catch(() => undefined);
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

const ownersOf = ({ servers, banlists }: Sources): string[] => [...servers, ...banlists].map(({ id }) => id);
const keyOf = ({ kind, id, path }: Source): string => JSON.stringify([kind, id, path]);
const banKey = (listId: string, { file, filesOf }: BanListFiles['sources'][number]): string =>
  JSON.stringify([listId, placedFile(file, filesOf)]);
