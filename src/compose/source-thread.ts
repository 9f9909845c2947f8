/**
 * The thread that follows the sources of the config, so that reading them never keeps a request waiting. It has a
 * writing connection of its own; what it stores the service sees as another process's changes.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { limitConcurrency } from '../process/concurrency-limit.ts';
import { within } from '../process/time-limit.ts';
import { openWriter } from '../server/store/database.ts';
import { refreshStale } from '../server/store/players/stale-statistics.ts';
import { wipeIfWanted } from '../server/store/rights/wipe.ts';
import { LocalFiles } from '../server/ingest/files/local-files.ts';
import { systemClock } from '../process/clock.ts';
import { trustInStore } from '../server/ingest/files/remote/host-trust.ts';
import { RemotePlaces } from '../server/ingest/files/remote/remote-places.ts';
import { logFormats } from '../server/games/index.ts';
import { pollsAtOnce, type SourceOutcome } from '../server/ingest/sources.ts';
import type { Sources } from '../server/ingest/configured-sources.ts';
import type { HeldLease } from '../process/leases.ts';
import { FollowedSources } from './followed-sources.ts';
import { localFolders, presentHere } from './source-leases.ts';
import { SourceWatches } from './source-watches.ts';

/** What the thread may follow. */
export interface SourceThreadWork {
  sources: Sources;
  /** The leases that this process holds; null: it has the store alone. */
  leases: readonly HeldLease[] | null;
}

/** What the thread is started with; later messages change it, `check` polls everything, `stop` ends it. */
export interface SourceThreadData {
  /** Where the store is: a file or a URL. */
  store: string;
  work: SourceThreadWork;
}

export type SourceThreadMessage = Partial<SourceThreadWork> | 'check' | 'stop';

/**
 * `outcomes`: what has changed. The first report has none: from then on the thread receives messages. `present`: the
 * leases whose folders exist here. `applied`: no source is read any more that the latest work does not have.
 */
export type SourceThreadReport = { outcomes: SourceOutcome[] } | { present: string[] } | 'applied';

const pollEveryMs = 1_000;
/** How often to poll everything, and not only at what changes from second to second. */
const fullPollEveryMs = 60_000;
/** A poll stops at its next block; a file that is being written is written to its end. */
const graceMs = 1_000;
/** Longer than any transaction of an import beside the service. */
const busyTimeoutMs = 10_000;

async function follow(port: MessagePort, { store, work }: SourceThreadData): Promise<void> {
  const stopping = new AbortController();
  const isShared = work.leases !== null;
  let current = work;
  let watches: SourceWatches | undefined;
  let fullPollAt = 0;
  let wake = (): void => undefined;
  const report = (one: SourceThreadReport): void => {
    // The rule is about windows; a thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    port.postMessage(one);
  };
  const apply = async (changed: Partial<SourceThreadWork>): Promise<void> => {
    current = { ...current, ...changed };
    await watches?.apply(current.sources, current.leases);
    report('applied');
  };
  port.on('message', (message: SourceThreadMessage) => {
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
  const writer = await openWriter(store, { busyTimeoutMs });
  const files = new LocalFiles();
  const remote = new RemotePlaces({ trust: trustInStore(writer.db, systemClock.now) });
  const limit = limitConcurrency(pollsAtOnce);
  const onOutcomes = (outcomes: SourceOutcome[]): void => report({ outcomes });
  watches = new SourceWatches({ writer, formats: logFormats, files, remote, limit, onOutcomes });
  void watches.apply(current.sources, current.leases);
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
  const forgotten = followed.forget().catch(() => undefined);
  await within(forgotten, graceMs);
  await writer.close();
  port.close();
}

if (parentPort !== null) await follow(parentPort, workerData as SourceThreadData);
