import type { MessagePort } from 'node:worker_threads';
import { systemClock } from '../../../process/clock.ts';
import { within } from '../../../process/time-limit.ts';
import { openWriter } from '../../store/engine/database.ts';
import { wipeIfWanted } from '../../store/repositories/rights/wipe.ts';
import { LocalFiles } from '../../files/local-files.ts';
import { trustInStore } from '../../files/remote/host-trust.ts';
import { RemotePlaces } from '../../files/remote/remote-places.ts';
import type { LogFormats } from '../logs/formats/log-format.ts';
import { transactionsAtOnce } from '../logs/writing/project-writer.ts';
import { FollowedSources } from './followed-sources.ts';
import type { SourceOutcome } from './polled-source.ts';
import { localFolders, presentHere } from './source-leases.ts';
import { type FollowedWork, SourceWatch } from './source-watch.ts';

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
  let watch: SourceWatch | undefined;
  let fullPollAt = 0;
  let wake = (): void => undefined;
  const report = (one: ThreadReport): void => {
    // The rule is about windows; a thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    port.postMessage(one);
  };
  const apply = async (changed: Partial<FollowedWork>): Promise<void> => {
    current = { ...current, ...changed };
    await watch?.apply(current);
    report('applied');
  };
  port.on('message', (message: ThreadMessage) => {
    if (message === 'stop') {
      stopping.abort();
      watch?.stop();
    } else {
      if (message !== 'check') void apply(message);
      fullPollAt = 0;
    }
    wake();
  });
  report({ outcomes: [] });
  const writer = await openWriter(store, { connections: transactionsAtOnce, busyTimeoutMs });
  const files = new LocalFiles();
  const remote = new RemotePlaces({ trust: trustInStore(writer.db, systemClock.now) });
  const onOutcomes = (outcomes: SourceOutcome[]): void => report({ outcomes });
  watch = new SourceWatch(writer, { formats, files, remote, onOutcomes });
  void watch.apply(current);
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
      if (isShared) void reportPresent();
    }
    // If the store is busy, the next full poll tries again.
    void followed.store(watch.placed, full).catch(() => undefined);
    // Not awaited: a source that hangs must not hold up the others. What goes wrong beyond a source ends the thread.
    void watch.poll(full);
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
  await within(watch.settled(), graceMs);
  files.close();
  await remote.close();
  await watch.settled();
  // Of a store that is away nothing is to be waited for.
  await within(
    followed.forget().catch(() => undefined),
    graceMs,
  );
  await writer.close();
  port.close();
}
