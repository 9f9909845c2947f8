import type { Clock } from '../../../process/clock.ts';
import type { ConcurrencyLimit } from '../../../process/concurrency-limit.ts';
import type { Database } from '../../store/engine/database.ts';
import { LeaseLost, StoreUnavailable } from '../../store/engine/error.ts';
import { placedFile } from '../../store/repositories/projects/places.ts';
import { type BanListFiles, type BanOutcome, type BanSync, createBanSync } from '../bans/sync.ts';
import { usualGame } from '../../games/index.ts';
import { currentPort } from '../../files/current-port.ts';
import type { FilePort } from '../../files/file-port.ts';
import type { SourceFiles } from '../../files/remote/source-files.ts';
import { LogFolder } from '../logs/log-folder.ts';
import type { LogFolderReport } from '../logs/log-folder-report.ts';
import type { LogFormats } from '../logs/log-format.ts';
import type { ReadProgress } from '../logs/read-progress.ts';
import type { PlayersDbReport } from '../players/import-players-db.ts';
import { PlayersDbSources } from '../players/players-db-sources.ts';
import { type PollResult, ProblemLog } from '../problem-log.ts';
import { type MessagesOutcome, MessagesSync, messagesFilesOf } from '../schedules/messages-sync.ts';
import type { Sources } from './sources.ts';

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

export interface Source {
  kind: SourceOutcome['kind'];
  /** Of the server or ban list. */
  id: string;
  path: string;
}

/** Distinguishes sources. */
export const keyOf = ({ kind, id, path }: Source): string => JSON.stringify([kind, id, path]);

/** A source and how to poll it. */
export interface SourceTask {
  key: string;
  /** Whether it is only read at a full poll. */
  onlyFull: boolean;
  /** Minimum time between two polls. */
  everyMs: number;
  poll(full: boolean): Promise<SourceOutcome[]>;
}

export interface SourceTasksOptions {
  /** The log formats of each game. */
  formats: LogFormats;
  clock: Clock;
  /** How many sources are polled at once. */
  limit: ConcurrencyLimit;
  /** Called while a long log is read. */
  onProgress: (outcome: SourceOutcome) => void;
}

type Signal = AbortSignal | undefined;
type SourceServer = Sources['servers'][number];

/** How each source of the config is polled, with what is remembered of it. */
export class SourceTasks {
  readonly #db: Database;
  readonly #options: SourceTasksOptions;
  /** By server and folder. */
  readonly #folders = new Map<string, LogFolder>();
  readonly #characters: PlayersDbSources;
  readonly #bans: BanSync;
  readonly #messages: MessagesSync;
  readonly #problems = new ProblemLog();
  #files: SourceFiles;
  /** Where the running polls read: a changed config must not move them to files of another host. */
  readonly #filesOfPoll = new Map<string, SourceFiles>();
  /** By source: releases its place among those that are polled at once. */
  readonly #release = new Map<string, () => void>();
  /** The ban files that were polled since the config changed, and the lists whose removed files are being lifted. */
  readonly #polled = new Set<string>();
  readonly #lifting = new Set<string>();

  constructor(db: Database, files: SourceFiles, options: SourceTasksOptions) {
    this.#db = db;
    this.#files = files;
    this.#options = options;
    this.#characters = new PlayersDbSources(db, options.clock);
    this.#bans = createBanSync(db, options.clock, (id, { file, filesOf }) =>
      this.#portOf({ kind: 'bans', id, path: placedFile(file, filesOf) }, filesOf),
    );
    this.#messages = new MessagesSync(db, (id, path) => this.#portOf({ kind: 'messages', id, path }, id));
  }

  /** The config has changed. @param files those of its places */
  restart(files: SourceFiles): void {
    this.#files = files;
    this.#polled.clear();
    this.#characters.forgetPace();
  }

  /** The open problem of a source with logs or a `players.db`; null: none. */
  problemOf(key: string): string | null {
    return this.#problems.current(key);
  }

  of({ servers, banlists, places }: Sources, signal: Signal): SourceTask[] {
    return [
      ...servers.flatMap((server) => this.#tasksOfServer(server, places?.has(server.id) === true, signal)),
      ...banlists.flatMap((list) => this.#tasksOfList(list)),
    ];
  }

  #tasksOfServer(server: SourceServer, isRemote: boolean, signal: Signal): SourceTask[] {
    const { id, game = usualGame.type, logs, playersDb } = server;
    const tasks: SourceTask[] = [];
    if (logs !== undefined) {
      const source = { kind: 'logs', id, path: logs } as const;
      const work = (full: boolean) => this.#attempt(source, () => this.#readLogs(id, logs, full, signal));
      tasks.push(this.#task(source, id, work));
    }
    if (playersDb !== undefined) {
      const source = { kind: 'playersDb', id, path: playersDb } as const;
      const port = this.#portOf(source, id);
      const read = () => this.#characters.poll({ id, game }, playersDb, port, isRemote, signal);
      tasks.push({ ...this.#task(source, id, () => this.#attempt(source, read)), onlyFull: true });
    }
    for (const path of messagesFilesOf(server)) {
      const storedAs = placedFile(path, isRemote ? id : undefined);
      const work = () => this.#messages.follow({ id, game }, path, storedAs);
      tasks.push(this.#task({ kind: 'messages', id, path }, id, work));
    }
    return tasks;
  }

  #tasksOfList(list: BanListFiles): SourceTask[] {
    const { id, sources } = list;
    if (sources.length === 0) {
      const key = keyOf({ kind: 'bans', id, path: '' });
      return [{ key, onlyFull: false, everyMs: 0, poll: () => this.#liftRemoved(list) }];
    }
    return sources.map((source) => {
      const path = placedFile(source.file, source.filesOf);
      return this.#task({ kind: 'bans', id, path }, source.filesOf, () => this.#followBans(list, source));
    });
  }

  #task(
    source: Source,
    serverId: string | undefined,
    work: (full: boolean) => Promise<SourceOutcome[]>,
  ): SourceTask {
    const key = keyOf(source);
    const poll = async (full: boolean): Promise<SourceOutcome[]> => {
      this.#filesOfPoll.set(key, this.#files);
      return await work(full).finally(() => this.#filesOfPoll.delete(key));
    };
    return { key, onlyFull: false, everyMs: this.#portOf(source, serverId).pollEveryMs, poll };
  }

  /** @param serverId the server on whose host the source is; undefined: this machine */
  #portOf(source: Source, serverId: string | undefined): FilePort {
    const key = keyOf(source);
    // A poll that waits for a hanging share needs no memory and must not delay other sources.
    const onSilent = (): void => this.#release.get(key)?.();
    return currentPort(() => (this.#filesOfPoll.get(key) ?? this.#files).of(serverId).of(key, onSilent));
  }

  async #attempt(
    source: Pick<FolderOutcome, 'kind' | 'id' | 'path'>,
    read: () => Promise<PollResult<LogFolderReport | PlayersDbReport> | null>,
  ): Promise<SourceOutcome[]> {
    const key = keyOf(source);
    this.#release.set(key, await this.#options.limit.acquire());
    try {
      const change = await this.#problems.attempt(key, read);
      return change === null ? [] : [{ ...source, ...change }];
    } finally {
      this.#release.get(key)?.();
      this.#release.delete(key);
    }
  }

  async #readLogs(
    serverId: string,
    folder: string,
    full: boolean,
    signal: Signal,
  ): Promise<PollResult<LogFolderReport> | null> {
    if (signal?.aborted === true) return null;
    const source = { kind: 'logs', id: serverId, path: folder } as const;
    const key = keyOf(source);
    let logs = this.#folders.get(key);
    if (logs === undefined) {
      const { formats, clock, onProgress } = this.#options;
      logs = new LogFolder(this.#db, this.#portOf(source, serverId), {
        serverId,
        folder,
        formats,
        clock,
        onProgress: (progress) => onProgress({ ...source, progress }),
        // Many servers can wait for the same transaction.
        onWait: () => this.#release.get(key)?.(),
      });
      this.#folders.set(key, logs);
    }
    const { report, problems } = await logs.poll(full, signal);
    return { ...(report && { report }), ...(problems.length > 0 && { problem: problems.join('; ') }) };
  }

  async #followBans(list: BanListFiles, source: BanListFiles['sources'][number]): Promise<SourceOutcome[]> {
    const outcomes = await this.#bans.sync(list.id, source);
    this.#polled.add(banKey(list.id, source));
    return [...outcomes, ...(await this.#liftRemoved(list))];
  }

  /** Last, so that a player who moved from one file to another stays banned throughout. */
  async #liftRemoved(list: BanListFiles): Promise<SourceOutcome[]> {
    const isRead = list.sources.every((source) => this.#polled.has(banKey(list.id, source)));
    if (!isRead || this.#lifting.has(list.id)) return [];
    this.#lifting.add(list.id);
    try {
      return await this.#bans.liftRemoved(list);
    } catch (error) {
      // The next poll tries again.
      if (error instanceof StoreUnavailable || error instanceof LeaseLost) return [];
      throw error;
    } finally {
      this.#lifting.delete(list.id);
    }
  }
}

const banKey = (listId: string, { file, filesOf }: BanListFiles['sources'][number]): string =>
  JSON.stringify([listId, placedFile(file, filesOf)]);
