import type { MessagePort } from 'node:worker_threads';
import { systemClock } from '../../../process/clock.ts';
import { limitConcurrency } from '../../../process/concurrency-limit.ts';
import { within } from '../../../process/time-limit.ts';
import { openWriter, type WriteDatabase } from '../../store/engine/database.ts';
import type { HeldLease } from '../../store/cluster/leases/lease-table.ts';
import { refreshStale } from '../../store/repositories/players/stale-statistics.ts';
import { wipeIfWanted } from '../../store/repositories/rights/wipe.ts';
import { LocalFiles } from '../../files/local-files.ts';
import { trustInStore } from '../../files/remote/host-trust.ts';
import { RemotePlaces } from '../../files/remote/remote-places.ts';
import type { LogFormats } from '../logs/log-format.ts';
import { FollowedSources } from './followed-sources.ts';
import { localFolders, presentHere, sourcesOfLease } from './source-leases.ts';
import type { SourceOutcome } from './source-tasks.ts';
import { pollsAtOnce, SourceWatch, type SourceWatchOptions } from './source-watch.ts';
import type { Sources } from './sources.ts';

/** What the thread may follow. */
export interface FollowedWork {
  sources: Sources;
  /** The leases that this process holds; null: it has the store alone. */
  leases: readonly HeldLease[] | null;
}

/** What the thread is started with; later messages change it, `check` polls everything, `stop` ends it. */
export interface ThreadData {
  /** Where the store is: a file or a URL. */
  store: string;
  work: FollowedWork;
}

export type ThreadMessage = Partial<FollowedWork> | 'check' | 'stop';

/**
 * `outcomes`: what has changed. The first report has none: from then on the thread receives messages. `present`: the
 * leases whose folders exist here. `applied`: no source is read any more that the latest work does not have.
 */
export type ThreadReport = { outcomes: SourceOutcome[] } | { present: string[] } | 'applied';

const pollEveryMs = 1_000;
/** How often to poll everything, and not only at what changes from second to second. */
const fullPollEveryMs = 60_000;
/** A poll stops at its next block; a file that is being written is written to its end. */
const graceMs = 1_000;
/** Longer than any transaction of an import beside the service. */
const busyTimeoutMs = 10_000;
/** Each transaction waits for its round trips most of the time. */
const writerConnections = 8;

/**
 * Follows sources until `stop` arrives, in a thread of its own, so that reading them never keeps a request waiting. It
 * has a writing connection of its own; what it stores the service sees as another process's changes.
 */
export async function follow(
  port: MessagePort,
  { store, work }: ThreadData,
  formats: LogFormats,
): Promise<void> {
  const stopping = new AbortController();
  const isShared = work.leases !== null;
  let current = work;
  let watches: LeaseWatches | undefined;
  let fullPollAt = 0;
  let wake = (): void => undefined;
  const report = (one: ThreadReport): void => {
    // The rule is about windows; a thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    port.postMessage(one);
  };
  const apply = async (changed: Partial<FollowedWork>): Promise<void> => {
    current = { ...current, ...changed };
    await watches?.apply(current);
    report('applied');
  };
  port.on('message', (message: ThreadMessage) => {
    if (message === 'stop') {
      stopping.abort();
      watches?.stop();
    } else {
      if (message !== 'check') void apply(message);
      fullPollAt = 0;
    }
    wake();
  });
  report({ outcomes: [] });
  const writer = await openWriter(store, {
    connections: writerConnections,
    busyTimeoutMs,
  });
  const files = new LocalFiles();
  const remote = new RemotePlaces({ trust: trustInStore(writer.db, systemClock.now) });
  const onOutcomes = (outcomes: SourceOutcome[]): void => report({ outcomes });
  watches = new LeaseWatches(writer, { formats, files, remote, onOutcomes });
  void watches.apply(current);
  const followed = new FollowedSources(writer.db, remote, systemClock.now);
  const reportPresent = async (): Promise<void> => {
    const { sources } = current;
    const present = await presentHere(localFolders(sources), (folder) => files.of(`present ${folder}`));
    if (sources === current.sources && !stopping.signal.aborted) report({ present });
  };
  while (!stopping.signal.aborted) {
    const full = performance.now() >= fullPollAt;
    if (full) {
      fullPollAt = performance.now() + fullPollEveryMs;
      if (isShared) {
        void reportPresent();
        // If the store is busy, the next full poll tries again.
        void refreshStale(writer.db).catch(() => undefined);
      }
    }
    // If the store is busy, the next full poll tries again.
    void followed.store(watches.sources, full).catch(() => undefined);
    // What goes wrong beyond a source ends the thread.
    watches.poll(full);
    // Here, because it takes seconds where much is stored. A busy store or a full disk: the next one tries again.
    if (full) void wipeIfWanted(writer).catch(() => undefined);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, stopping.signal.aborted ? 0 : pollEveryMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  // What hangs is left behind. The port keeps the thread alive; once that is closed, nothing is to.
  await within(watches.settled(), graceMs);
  files.close();
  await remote.close();
  await watches.settled();
  // Of a store that is away nothing is to be waited for.
  await within(
    followed.forget().catch(() => undefined),
    graceMs,
  );
  await writer.close();
  port.close();
}

interface LeaseWatch {
  watch: SourceWatch;
  sources: Sources;
  stopping: AbortController;
}

/**
 * A watch for each lease in each of its epochs, with its fence: what a watch knows of its files is void once another
 * process may have read them. A process that has the store alone has one for all sources.
 */
class LeaseWatches {
  readonly #writer: WriteDatabase;
  readonly #options: SourceWatchOptions & { remote: RemotePlaces };
  readonly #limit = limitConcurrency(pollsAtOnce);
  /** By lease and epoch. */
  readonly #watches = new Map<string, LeaseWatch>();
  readonly #ending = new Set<Promise<void>>();
  #sources: Sources | null = null;

  constructor(writer: WriteDatabase, options: SourceWatchOptions & { remote: RemotePlaces }) {
    this.#writer = writer;
    this.#options = options;
  }

  /** Resolves when no poll of a source runs that this process may no longer follow. */
  async apply({ sources, leases }: FollowedWork): Promise<void> {
    const isChanged = sources !== this.#sources;
    this.#sources = sources;
    const parts =
      leases === null
        ? [{ key: '', lease: null, sources }]
        : leases.map((lease) => ({
            key: `${lease.name} ${lease.epoch}`,
            lease,
            sources: sourcesOfLease(sources, lease.name),
          }));
    this.#endAllBut(new Set(parts.map(({ key }) => key)));
    for (const { key, lease, sources: part } of parts) {
      const known = this.#watches.get(key);
      if (known === undefined) this.#watches.set(key, this.#watch(part, lease));
      else if (isChanged) known.sources = part;
    }
    // A single watch does this itself.
    if (leases !== null) {
      void this.#options.remote.keep(parts.flatMap((part) => [...(part.sources.places?.values() ?? [])]));
    }
    await Promise.all(this.#ending);
  }

  /** What is followed now. */
  get sources(): Sources[] {
    return Array.from(this.#watches.values(), ({ sources }) => sources);
  }

  /** Not awaited: a source that hangs is not to hold up the others. */
  poll(full: boolean): void {
    for (const { watch, sources, stopping } of this.#watches.values()) {
      void (full ? watch.importChanged(sources, stopping.signal) : watch.followOn(sources, stopping.signal));
    }
  }

  /** Lets polls stop at their next block. */
  stop(): void {
    for (const { stopping } of this.#watches.values()) stopping.abort();
  }

  async settled(): Promise<void> {
    const watches = Array.from(this.#watches.values(), ({ watch }) => watch.settled());
    await Promise.all([...watches, ...this.#ending]);
  }

  #endAllBut(keys: ReadonlySet<string>): void {
    for (const [key, { watch, stopping }] of this.#watches) {
      if (keys.has(key)) continue;
      this.#watches.delete(key);
      stopping.abort();
      const end = watch.settled().finally(() => this.#ending.delete(end));
      this.#ending.add(end);
    }
  }

  #watch(sources: Sources, lease: HeldLease | null): LeaseWatch {
    const stopping = new AbortController();
    if (lease === null) return { watch: new SourceWatch(this.#writer.db, this.#options), sources, stopping };
    const { onOutcomes } = this.#options;
    const watch = new SourceWatch(this.#writer.shared?.fenced([lease]) ?? this.#writer.db, {
      ...this.#options,
      shared: this.#limit,
      // What a poll finds after the lease was lost is the next holder's to report.
      onOutcomes: (outcomes) => (stopping.signal.aborted ? undefined : onOutcomes?.(outcomes)),
    });
    return { watch, sources, stopping };
  }
}
