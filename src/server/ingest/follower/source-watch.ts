import { type Files, LocalFiles, RemotePlaces } from 'game-files';
import { systemClock, type Clock } from '../../../process/clock.ts';
import { limitConcurrency } from '../../../process/concurrency-limit.ts';
import { perKey } from '../../../process/per-key.ts';
import type { HeldLease } from '../../../process/leases.ts';
import type { WriteDatabase } from '../../store/engine/database.ts';
import { forgetSourceErrors } from '../../store/repositories/logs/source-states.ts';
import { refreshStale } from '../../store/repositories/players/stale-statistics.ts';
import { followBanFile } from '../bans/follow-ban-file.ts';
import { liftRemovedFiles } from '../bans/removed-files.ts';
import { LogFolder } from '../logs/following/log-folder.ts';
import { LogStore } from '../logs/writing/store-together.ts';
import { followPlayersDb } from '../players/import-players-db.ts';
import { PollProblems } from '../poll-problems.ts';
import { followMessages } from '../schedules/messages-file.ts';
import {
  keyOf,
  PolledSource,
  type ReaderContext,
  type SourceOutcome,
  type SourcePlan,
  type SourceReader,
  type SourceScope,
} from './polled-source.ts';
import { sourcesOfLease } from './source-leases.ts';
import type { BanListFile, ServerFile, Sources } from './sources.ts';

export interface SourceWatchOptions {
  files?: Files;
  remote?: RemotePlaces;
  /** Called as soon as a source has changed. */
  onOutcome?: (outcome: SourceOutcome) => void;
  clock?: Clock;
}

export interface FollowedWork {
  sources: Sources;
  /** The leases that this process holds; null: it has the store alone. */
  leases: readonly HeldLease[] | null;
}

/** Concurrent polls of a place: polling a server's logs or characters takes memory. */
const pollsAtOnce = 8;

/** The path of the plan that lifts a list's bans of files that the config no longer names: it reads no file. */
const removedFilesPath = 'removed files';

/** Follows the sources of the config that belong to the leases of this process. */
export class SourceWatch {
  readonly #writer: Pick<WriteDatabase, 'db' | 'shared'>;
  readonly #remote: RemotePlaces;
  readonly #logStore: LogStore;
  readonly #common: Omit<SourceScope, 'db' | 'store' | 'problems' | 'ready' | 'isListRead'>;
  /** By lease and epoch: what is known of a file is void once another process may have read it. */
  #scopes: ReadonlyMap<string, SourceScope> = new Map();
  /** By lease, epoch and plan: a source whose settings change has another key, so it is opened again. */
  #sources: ReadonlyMap<string, PolledSource> = new Map();
  /** Polls still running of sources that are not followed any more, by `keyOf` their plans. */
  readonly #ending = new Map<string, Promise<void>>();

  constructor(writer: Pick<WriteDatabase, 'db' | 'shared'>, options: SourceWatchOptions = {}) {
    const { files = new LocalFiles(), remote = new RemotePlaces(), clock = systemClock } = options;
    const limitOf = perKey(() => limitConcurrency(pollsAtOnce));
    this.#writer = writer;
    this.#logStore = new LogStore(writer);
    this.#remote = remote;
    this.#common = {
      clock,
      limitAt: (place) => limitOf(JSON.stringify(place ?? null)),
      filesAt: (place) => (place === undefined ? files : remote.at(place)),
      onOutcome: options.onOutcome ?? (() => undefined),
    };
  }

  /** Replaces what is followed. Polls of other sources stop at their next block. */
  apply({ sources, leases }: FollowedWork): void {
    const parts = (leases ?? [null]).map((lease) => ({
      lease,
      scopeKey: lease === null ? '' : `${lease.name} ${lease.epoch}`,
      sources: lease === null ? sources : sourcesOfLease(sources, lease.name),
    }));
    // First, because only the places that are kept can be opened.
    void this.#remote.keep(parts.flatMap((part) => part.sources.files.flatMap(({ place }) => place ?? [])));
    const scopes = new Map<string, SourceScope>();
    const plans = new Map<string, { plan: SourcePlan; scope: SourceScope }>();
    for (const part of parts) {
      const scope = this.#scopes.get(part.scopeKey) ?? this.#createScope(part);
      scopes.set(part.scopeKey, scope);
      for (const plan of plansOf(part.sources)) {
        plans.set(JSON.stringify([part.scopeKey, plan]), { plan, scope });
      }
    }
    // What is read with other settings, or under another lease, ends before it is read again.
    for (const [key, source] of this.#sources) if (!plans.has(key)) this.#end(source);
    this.#sources = new Map(
      Array.from(plans, ([key, { plan, scope }]) => [
        key,
        this.#sources.get(key) ?? new PolledSource(plan, scope, this.#ending.get(keyOf(plan))),
      ]),
    );
    this.#scopes = scopes;
  }

  /**
   * Polls the sources independently of each other, except those whose last poll is still running. A source that cannot be read
   * is one of the outcomes, and does not make this throw.
   * @param full whether to check everything, not only logs that are being written and small files
   */
  async poll(full: boolean): Promise<SourceOutcome[]> {
    // An import may have stopped before computing these figures. If the store is busy, the next full poll tries again.
    if (full) await refreshStale(this.#writer.db).catch(() => undefined);
    const polls = [...this.#sources.values()].flatMap((source) => source.poll(full) ?? []);
    return (await Promise.all(polls)).flatMap((outcome) => outcome ?? []);
  }

  /** Lets polls stop at their next block. What was stored is kept. */
  stop(): void {
    for (const source of this.#sources.values()) source.stop();
  }

  /** Resolves when no poll is running. */
  async settled(): Promise<void> {
    const polls = Array.from(this.#sources.values(), (source) => source.settled());
    await Promise.all([...polls, ...this.#ending.values()]);
  }

  #createScope({ lease, sources }: { lease: HeldLease | null; sources: Sources }): SourceScope {
    const { db, shared } = this.#writer;
    const fenced = lease === null ? db : (shared?.fenced([lease]) ?? db);
    const owners = [...sources.files, ...sources.banlists].map(({ id }) => id);
    const scope: SourceScope = {
      ...this.#common,
      db: fenced,
      store: async (logs, now) => await this.#logStore.store(lease, logs, now),
      problems: new PollProblems(),
      // Problems of an earlier process will be found again, or are resolved.
      ready: forgetSourceErrors(fenced, lease === null ? null : owners).catch(() => undefined),
      isListRead: async (listId) => {
        const files = Array.from(this.#sources.values()).filter(
          (source) => source.scope === scope && isFileOf(source.plan, listId),
        );
        await Promise.all(files.map((file) => file.settled()));
        return files.every(({ wasRead }) => wasRead);
      },
    };
    return scope;
  }

  #end(source: PolledSource): void {
    const key = keyOf(source.plan);
    source.stop();
    const end = Promise.all([this.#ending.get(key), source.settled()]).then(() => {
      if (this.#ending.get(key) === end) this.#ending.delete(key);
    });
    this.#ending.set(key, end);
  }
}

const isFileOf = ({ kind, id, path }: SourcePlan, listId: string): boolean =>
  kind === 'bans' && id === listId && path !== removedFilesPath;

/** The sources of the config, and what reads each. */
function plansOf({ files, banlists }: Sources): SourcePlan[] {
  return [
    ...files.map((file): SourcePlan => {
      // A file that only moves in the config's list is not opened again.
      const { index: _, ...settings } = file;
      const { kind, id, path, place } = file;
      return { kind, id, path, place, settings, open: (at) => readerOf(file, at) };
    }),
    ...banlists.map((list): SourcePlan => {
      const open = (at: ReaderContext): SourceReader => liftRemovedFiles(list, at);
      return { kind: 'bans', id: list.id, path: removedFilesPath, settings: list, open };
    }),
  ];
}

function readerOf(source: ServerFile | BanListFile, at: ReaderContext): SourceReader {
  switch (source.kind) {
    case 'logs': {
      const folder = new LogFolder({ ...at, serverId: source.id, folder: source.file });
      return async (full, signal) => await folder.poll(full, signal);
    }
    case 'playersDb':
      return followPlayersDb(source, at);
    case 'messages':
      return followMessages(source, at);
    case 'bans':
      return followBanFile(source, at);
  }
}
